import type { Knob, Knobs, KnobValues } from '../ports/knob.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';

export type Prompt = Extract<TranscriptEvent, { kind: 'prompt' }>;

/** What has happened in a session so far, newest last; enough to judge a moment by, never the whole. */
export interface SessionView {
  recent: readonly TranscriptEvent[];
  prompts: number;
}

/** A moment something was learned in: what triggered it, how sure the signal is, and its reasons in words. */
export interface Noticed {
  trigger: TranscriptEvent;
  quote: string;
  score: number;
  why: string[];
}

/** A signal is a small machine over one session's events. */
export interface SignalRun {
  see(event: TranscriptEvent, session: SessionView): Noticed[];
}

/** One way of noticing. Its id is, with `/` for `.`, its file. */
export interface Signal<K extends Knobs = Knobs> {
  id: `signal.${string}`;
  seeds: readonly string[];
  doc: string;
  switch: Knob<boolean>;
  knobs: K;
  start(knobs: KnobValues<K>): SignalRun;
}

export function signal<K extends Knobs>(port: Signal<K>): Signal<K> {
  return port;
}
