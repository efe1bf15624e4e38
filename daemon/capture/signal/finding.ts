import { flag } from '../../ports/knob.ts';
import { containment } from '../../text/similarity.ts';
import { judge, type Verdict, type Weights } from '../judge/cue.ts';
import { FINDING_CUES } from '../judge/finding-cues.ts';
import type { FindingMoment } from '../judge/finding-moments.ts';
import { anyOf, namesRootCause, plain } from '../judge/wording.ts';
import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Prompt } from '../event-kinds.ts';
import {
  type Lesson,
  type SessionView,
  type Sighting,
  type Signal,
  type SignalRun,
  signal,
} from '../port.ts';

interface KindOfFinding {
  kind: 'root-cause' | 'gotcha';
  type: Lesson['type'];
  doc: string;
  /** The label of its switch in Settings. */
  label: string;
}

const KINDS: readonly KindOfFinding[] = [
  {
    kind: 'root-cause',
    type: 'bug-fix',
    doc: 'The cause the agent found for a problem. Only the strongest of several attempts is kept, and none that is questioned in the next two messages.',
    label: 'Capture the causes agents find',
  },
  {
    kind: 'gotcha',
    type: 'gotcha',
    doc: 'A limit, a trap or a mistake of its own that the agent ran into while working.',
    label: 'Capture the pitfalls agents run into',
  },
];

interface Finding extends Verdict {
  moment: FindingMoment;
  /** Nobody has questioned it, and what had failed passes or the person went on. */
  confirmed: boolean;
}

const AGREES = /^(?:you're|you are|good (?:catch|point)|excellent|fair|right\b|ah\b)/;
const SAME = 0.5; // share of the shorter statement's words at which two statements are one finding
const QUESTIONED =
  /^(?:no\b|nope|wrong|that's not|it's not|are you sure|really\?|i don't think|but (?:that|it|why))/;
/** A message later an objection may be about something else, unless it says that the trouble is still there. */
const REFUTED = anyOf(
  /\bare you sure\b|\bthat's not (?:it|right|true|the)\b|\bthat wasn't (?:it|the)\b/,
  /\b(?:still (?:fail|broken|not|get|see|happen|does)|(?:didn't|doesn't|did not|does not) (?:work|help|fix))/,
);

const kindOf = ({ text }: FindingMoment): KindOfFinding['kind'] =>
  namesRootCause(text) ? 'root-cause' : 'gotcha';

/** One signal per kind of finding. */
export const FINDING_SIGNALS: readonly Signal[] = KINDS.map((row) =>
  signal({
    id: `signal.${row.kind}`,
    seeds: [],
    doc: row.doc,
    switch: flag(`REFLECT_SIGNAL_${row.kind.toUpperCase().replace('-', '_')}`, true, row.label),
    knobs: {},
    start: () => watchFor(row),
  }),
);

/** Waits for the turn to end: of several attempts at one finding only the best becomes a lesson. */
function watchFor({ kind, type }: KindOfFinding): SignalRun {
  let asked: Prompt | null = null;
  /** Reported when the last message came. */
  let reported: TranscriptEvent[] = [];
  const lessonsIn = (session: SessionView, wentOn: boolean): Lesson[] =>
    findingsIn(
      session.statements.filter((moment) => kindOf(moment) === kind),
      session.weights.finding,
      session.agentBar,
      wentOn,
    )
      .filter(({ moment }) => !repeatsThePerson(moment, session))
      .map(({ moment: { reply }, probability, cues, why, confirmed }) => ({
        sees: 'lesson',
        trigger: reply,
        quote: reply.text.trim(),
        type,
        score: Math.round(probability * 100) / 100,
        cues,
        why,
        speculative: !confirmed,
      }));
  /** The agent's restatement of a person's lesson is one lesson with it, not two. */
  const repeatsThePerson = (moment: FindingMoment, session: SessionView) =>
    asked !== null && !moment.reply.subagent && session.wasNoticed(asked) && restates(moment, asked);
  return {
    see(event, session) {
      if (event.kind !== 'prompt') return [];
      // Nobody goes on because of what a subagent found: it reports to another agent.
      if (event.subagent) return lessonsIn(session, false);
      const said = plain(event.text);
      const refuted = REFUTED(said) ? reported : [];
      const lessons = QUESTIONED.test(said) || REFUTED(said) ? [] : lessonsIn(session, true);
      reported = lessons.map(({ trigger }) => trigger);
      asked = event;
      return [...refuted.map((of): Sighting => ({ sees: 'retraction', of })), ...lessons];
    },
    rest: (session) => lessonsIn(session, false),
  };
}

/** The agent repeats what the person taught it, rather than finding something of its own. */
function restates({ text, head, firstOfTurn }: FindingMoment, asked: Prompt): boolean {
  return (firstOfTurn && AGREES.test(text)) || containment(asked.text, head) >= SAME;
}

/** The findings of a turn above the bar, each once, in its strongest words. */
function findingsIn(turn: FindingMoment[], weights: Weights, bar: number, wentOn: boolean): Finding[] {
  const kept: Finding[] = [];
  const strongestFirst = turn
    .map((moment) => ({ moment, ...judge(FINDING_CUES, weights, moment) }))
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
