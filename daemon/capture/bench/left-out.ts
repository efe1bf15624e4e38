import type { JudgeWeights } from '../judge/cue.ts';
import { CAPTURE_KNOBS } from '../judge/knobs.ts';
import { SessionCapture } from '../pipeline.ts';
import { fitWeights, type ReadSession } from './examples.ts';

/** A moment as capture scored it, with the line it stands on. */
export interface ScoredMoment {
  line: number;
  signal: string;
  score: number;
  quote: string;
  why: string[];
}

export interface Heard {
  read: ReadSession;
  moments: ScoredMoment[];
}

const BARS: ReadonlySet<string> = new Set(Object.values(CAPTURE_KNOBS).map(({ name }) => name));

/** For each session, weights that were fitted on the sessions of all other groups. */
export function weightsWithout(
  sessions: readonly ReadSession[],
  groupOf: (session: ReadSession) => string,
): Map<ReadSession, JudgeWeights> {
  const weights = new Map(
    [...new Set(sessions.map(groupOf))].map((group) => [
      group,
      fitWeights(sessions.filter((session) => groupOf(session) !== group)),
    ]),
  );
  return new Map(sessions.map((session) => [session, weights.get(groupOf(session)) as JudgeWeights])); // every group has its own
}

/** The moments capture finds in a session, with the shipped bars or one for all judges. */
export function hear(read: ReadSession, weights: JudgeWeights, bar?: number): Heard {
  const capture = new SessionCapture(
    (knob) => (BARS.has(knob.name) ? (bar ?? knob.default) : knob.default) as typeof knob.default,
    weights,
  );
  const captured = [...read.events.map((event) => capture.feed(event)), capture.rest()];
  const voided = new Set(captured.flatMap((one) => one.voided));
  return {
    read,
    moments: captured
      .flatMap(({ moments }) => moments)
      .filter(({ key }) => !voided.has(key))
      .map(({ span, signal, score, quote, why }) => ({
        line: read.lineOf(span.start),
        signal,
        score,
        quote,
        why,
      })),
  };
}
