import type { TranscriptEvent } from '../transcripts/adapter.ts';
import type { Effect, Lesson } from './port.ts';

export const LONGEST_TURN = 3_000; // characters
/** Longer than a turn may be: it is redacted before it is cut to size, so that no half of a secret slips through. */
export const TURN_CHARACTERS = LONGEST_TURN + 1_000;
export const LONGEST_QUOTE = 20_000;
/** The beginning of the turn of a commit; its message follows. */
export const COMMITTED = 'git commit: ';

export interface Turn {
  role: 'human' | 'agent' | 'tool';
  text: string;
  at: number;
  trigger: boolean;
}

/** The slice of dialogue around a sighting: all that the drain ever sees of a transcript. */
export interface CapturedMoment {
  key: string;
  signal: string;
  session: string;
  at: number;
  cwd: string;
  branch: string | null;
  span: { start: number; end: number };
  quote: string;
  type: Lesson['type'];
  score: number;
  /** Ids of the judge's cues behind `why`. */
  cues: string[];
  why: string[];
  recurring: string | null;
  speculative: boolean;
  turns: Turn[];
}

/** An effect with where and when it happened. */
type CapturedEffect = Effect & { session: string; at: number; cwd: string };

/** Turns right after a moment that was already handed over: mostly the agent restating the lesson. */
export interface Continuation {
  key: string;
  turn: Turn;
}

export interface Captured {
  moments: CapturedMoment[];
  continuations: Continuation[];
  effects: CapturedEffect[];
  /** Keys of moments whose turn is over: nothing is added to them any more. */
  complete: string[];
  /** Keys of moments the person retracted. */
  voided: string[];
  sessions: SessionSign[];
}

/** A sign of life of a session, with the first request if this is it. */
export interface SessionSign {
  session: string;
  at: number;
  cwd: string;
  request: string;
}

export const emptyCapture = (): Captured => ({
  moments: [],
  continuations: [],
  effects: [],
  complete: [],
  voided: [],
  sessions: [],
});

/** The turn that an event adds to the dialogue, if it adds one. */
export function toTurn(event: TranscriptEvent, trigger: boolean): Turn | null {
  const turn = (role: Turn['role'], text: string) => ({
    role,
    text: text.slice(0, TURN_CHARACTERS),
    at: event.at,
    trigger,
  });
  switch (event.kind) {
    case 'prompt':
      return turn('human', event.text);
    case 'reply':
      return turn('agent', event.text);
    case 'tool_call':
      return turn('tool', `${event.tool} ${event.input}`);
    case 'tool_result':
      return event.failed ? turn('tool', `failed: ${event.output}`) : null;
    default:
      return null;
  }
}
