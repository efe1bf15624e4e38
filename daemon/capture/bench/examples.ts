import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Cue, JudgeWeights, Weights } from '../judge/cue.ts';
import { FINDING_CUES } from '../judge/finding-cues.ts';
import { FindingMoments } from '../judge/finding-moments.ts';
import { HUMAN_CUES } from '../judge/human-cues.ts';
import { HumanMoments } from '../judge/human-moments.ts';
import { Tracks } from '../judge/tracks.ts';
import { type Example, fit } from './fit.ts';
import { eventsOf, type LabelledSession, lineCounter } from './labelled.ts';

type Judge = keyof JudgeWeights;

/** A labelled session, read once: its events, and what each judge has to weigh in it. */
export interface ReadSession {
  session: LabelledSession;
  events: TranscriptEvent[];
  lineOf(position: number): number;
  person: string;
  examples: Record<Judge, Example[]>;
}

const CUES: { [J in Judge]: ReadonlyArray<{ id: string; prior: number }> } = {
  human: HUMAN_CUES,
  finding: FINDING_CUES,
};
/** Strength of the priors: there are far fewer human messages than statements to learn from. */
const PULL: Record<Judge, number> = { human: 25, finding: 6 };
/** Weight of a long statement without a label, whose middle nobody read: left out, every long one would be a lesson. */
const READ_IN_PART = 0.7;

export function readSession(session: LabelledSession): ReadSession {
  const events = eventsOf(session);
  const lineOf = session.path.endsWith('.jsonl') ? lineCounter(session.path) : (position: number) => position;
  const people = new Tracks(() => new HumanMoments());
  const agents = new Tracks(() => new FindingMoments());
  const mark = marker(session, lineOf);
  return {
    session,
    events,
    lineOf,
    person: personIn(events),
    examples: {
      human: [...events.flatMap((event) => people.see(event)), ...people.rest()].flatMap((moment) =>
        mark(moment.prompt, HUMAN_CUES, moment),
      ),
      finding: [...events.flatMap((event) => agents.see(event)), ...agents.rest()].flatMap((moment) =>
        mark(moment.reply, FINDING_CUES, moment),
      ),
    },
  };
}

/** A moment on a labelled line is a lesson; on a line that repeats one it counts neither way. */
function marker(session: LabelledSession, lineOf: (position: number) => number) {
  return <M>({ span }: TranscriptEvent, cues: ReadonlyArray<Cue<M>>, moment: M): Example[] => {
    const line = lineOf(span.start);
    const label = session.labels.some((one) => one.line === line);
    const again = session.labels.some(({ also_lines }) => also_lines.includes(line));
    if (!label && again) return [];
    const weight = !label && session.unread.has(line) ? READ_IN_PART : 1;
    return [{ label, weight, features: cues.map((cue) => Number(cue.holds(moment))) }];
  };
}

/** The name of the home folder the session ran in. */
function personIn(events: readonly TranscriptEvent[]): string {
  for (const { cwd } of events) {
    const name = /[\\/](?:Users|home)[\\/]([^\\/]+)/.exec(cwd)?.[1];
    if (name) return name;
  }
  return 'unknown';
}

/** The weights these sessions teach, rounded as they are saved. */
export function fitWeights(sessions: readonly ReadSession[]): JudgeWeights {
  return { human: fitJudge('human', sessions), finding: fitJudge('finding', sessions) };
}

function fitJudge(judge: Judge, sessions: readonly ReadSession[]): Weights {
  const cues = CUES[judge];
  const { bias, weights } = fit(
    sessions.flatMap(({ examples }) => examples[judge]),
    cues.map(({ prior }) => prior),
    PULL[judge],
  );
  return {
    bias: round(bias),
    cues: Object.fromEntries(cues.map(({ id }, index) => [id, round(weights[index] ?? 0)])),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
