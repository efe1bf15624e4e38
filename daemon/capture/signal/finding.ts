import { containment } from '../../text/similarity.ts';
import { flag } from '../../ports/knob.ts';
import { type Lesson, type Prompt, type SessionView, type Sighting, signal } from '../port.ts';
import { judge, type Verdict } from './cue.ts';
import { FINDING_CUES, FOUND, NAMES_CAUSE } from './finding-cues.ts';
import type { FindingMoment } from './finding-moments.ts';
import weights from './weights.json' with { type: 'json' };
import { plain } from './wording.ts';

interface Options {
  id: 'root-cause' | 'gotcha';
  type: Lesson['type'];
  doc: string;
  keeps: string;
}

interface Finding extends Verdict {
  moment: FindingMoment;
  /** Nobody has questioned it, and what had failed passes or the person went on. */
  confirmed: boolean;
}

const AGREES = /^(?:you're|you are|good (?:catch|point)|excellent|fair|right\b|ah\b)/;
const SAME = 0.5; // of the shorter statement's words: the same finding, told again
const QUESTIONED =
  /^(?:no\b|nope|wrong|that's not|it's not|are you sure|really\?|i don't think|but (?:that|it|why))/;

const isRootCause = ({ text }: FindingMoment) => FOUND.test(text) || NAMES_CAUSE.test(text);

/** A signal for what the agent found out. It waits for the turn to end: of several tries at one finding only the best is told. */
export function findingSignal({ id, type, doc, keeps }: Options) {
  return signal({
    id: `signal.${id}`,
    seeds: [],
    doc,
    switch: flag(`REFLECT_SIGNAL_${id.toUpperCase().replace('-', '_')}`, true, keeps),
    knobs: {},
    start() {
      let asked: Prompt | null = null;
      const tell = (session: SessionView, wentOn: boolean): Sighting[] =>
        findingsIn(
          session.statements.filter((moment) => isRootCause(moment) === (id === 'root-cause')),
          session.agentBar,
          wentOn,
        ).map(({ moment, probability, cues, why, confirmed }) => {
          const { reply } = moment;
          if (asked && session.wasNoticed(asked) && restates(moment, asked))
            return { sees: 'restatement', of: asked, by: reply };
          return {
            sees: 'lesson',
            trigger: reply,
            quote: reply.text.trim(),
            type,
            score: Math.round(probability * 100) / 100,
            cues,
            why,
            speculative: !confirmed,
          };
        });
      return {
        see(event, session) {
          if (event.kind !== 'prompt' || event.subagent) return [];
          const told = QUESTIONED.test(plain(event.text)) ? [] : tell(session, true);
          asked = event;
          return told;
        },
        rest: (session) => tell(session, false),
      };
    },
  });
}

/** The agent answers what the person taught it, rather than finding something of its own. */
function restates({ text, head, firstOfTurn }: FindingMoment, asked: Prompt): boolean {
  return (firstOfTurn && AGREES.test(text)) || containment(asked.text, head) >= SAME;
}

/** The findings of a turn above the bar, each told once in its strongest words. */
function findingsIn(turn: FindingMoment[], bar: number, wentOn: boolean): Finding[] {
  const kept: Finding[] = [];
  const strongestFirst = turn
    .map((moment) => ({ moment, ...judge(FINDING_CUES, weights.finding, moment) }))
    .filter(({ probability }) => probability >= bar)
    .sort((one, other) => other.probability - one.probability);
  for (const finding of strongestFirst) {
    const known = kept.some(
      ({ moment }) =>
        containment(moment.head || moment.text, finding.moment.head || finding.moment.text) >= SAME,
    );
    if (!known) kept.push({ ...finding, confirmed: wentOn || finding.moment.confirmed });
  }
  return kept;
}
