import type { KnobValues, UserKnob, UserKnobs } from '../ports/knob.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import type { JudgeWeights } from './judge/cue.ts';
import type { TurnLesson } from './judge/lessons-of-turn.ts';
import type { FindingMoment } from './judge/finding-moments.ts';
import type { HumanMoment } from './judge/human-moments.ts';

/** The recent past of a session, newest last: enough to judge a moment by, never the whole. */
export interface SessionView {
  recent: readonly TranscriptEvent[];
  prompts: number;
  /** Messages the agent has just reacted to, or never will. */
  messages: readonly HumanMoment[];
  /** All the agent stated in a turn that is just over. */
  statements: readonly FindingMoment[];
  weights: JudgeWeights;
  /** How likely a message, or a statement of the agent, must be a lesson to become a moment. */
  humanBar: number;
  agentBar: number;
  /** True when that event already made a moment. */
  wasNoticed(event: TranscriptEvent): boolean;
}

/** A moment in which something was learned: what triggered it, how sure the signal is (0…1), and its reasons. */
export interface Lesson {
  sees: 'lesson';
  trigger: TranscriptEvent;
  quote: string;
  type: 'correction' | 'preference' | 'decision' | 'bug-fix' | 'gotcha' | 'process' | 'policy';
  score: number;
  /** Ids of the judge's cues that spoke for it; none where no judge was asked. */
  cues?: string[];
  why: string[];
  /** Worth a note only once it was seen under this name in several sessions of the project. */
  recurring?: string;
  /** Said, but nothing has confirmed it yet. */
  speculative?: boolean;
}

/** An event in the work, or about earlier lessons. The drain applies it, because it has the store. */
export type Effect =
  | {
      sees: 'commit';
      sha: string;
      branch: string;
      message: string;
      conflictResolved: boolean;
      sessionGuessed?: boolean;
    }
  | { sees: 'revert'; sha: string }
  | { sees: 'tests-fixed'; runner: string; failedRuns: number }
  | { sees: 'trouble'; kind: 'loop' | 'test-regression'; detail: string }
  /** A command that a session carried out a routine of the project with. */
  | { sees: 'routine'; field: string; does: string; command: string }
  | { sees: 'forget'; about: string; quote: string; only: boolean }
  | {
      sees: 'experience';
      task: string;
      outcome: 'success' | 'partial' | 'failed';
      steps: string[];
      errors: string[];
      /** Sentences in which the agent said why, best first. */
      lessons: TurnLesson[];
    };

/** The person retracted that message: moments made from it are void. */
interface Retraction {
  sees: 'retraction';
  of: TranscriptEvent;
}

export type Sighting = Lesson | Effect | Retraction;

/** A signal is a small machine over one session's events. */
export interface SignalRun {
  see(event: TranscriptEvent, session: SessionView): Sighting[];
  /** The session has gone quiet: sightings held back for more evidence are reported now or never. */
  rest?(session: SessionView): Sighting[];
}

/**
 * One way of noticing, with a switch of its own. Its file in signal/ is its id's, or a table's for kinds that differ
 * only in data.
 */
export interface Signal<K extends UserKnobs = UserKnobs> {
  id: `signal.${string}`;
  seeds: readonly string[];
  doc: string;
  switch: UserKnob<boolean>;
  knobs: K;
  start(knobs: KnobValues<K>): SignalRun;
}

export function signal<K extends UserKnobs>(port: Signal<K>): Signal<K> {
  return port;
}
