import type { NoteInput, Signals } from '#contract/entities.ts';
import type { Review } from '#contract/outcomes.ts';

/** The epoch milliseconds of so many days before now; a negative number lies in the future. */
export type Ago = (days: number) => number;

export interface DemoLearning {
  /** Names the learning inside the demo; `note.supersededBy` and a merge's `existing` point at it. */
  key: string;
  /** When the note took its present form; without a history, when it was made. */
  daysAgo: number;
  note: NoteInput;
  signals?: Partial<Signals>;
  /** Earlier forms, oldest first. */
  history?: Array<{ daysAgo: number; note: Partial<NoteInput>; reason: string; actor: string }>;
}

export interface DemoMerge {
  /** The key of the learning that already says this. */
  existing: string;
  incoming: NoteInput;
  similarity: number;
  daysAgo: number;
}

export interface DemoGap {
  query: string;
  project: string;
  times: number;
  sessions: number;
  daysAgo: number;
}

export interface DemoSlot {
  project: string;
  name: string;
  content: string;
  description: string;
  sizeLimit: number;
  readOnly: boolean;
}

/** What judged a learning, oldest first. */
export interface DemoJudged {
  key: string;
  went: Array<Pick<Review, 'source' | 'result' | 'reason'> & { daysAgo: number }>;
}

export interface DemoLoop {
  id: string;
  task: string;
  project: string;
  daysAgo: number;
  /** The key of the learning it left behind; without one it still runs. */
  learning?: string;
  /** One that failed says why and what to do next. */
  attempts: Array<{ reward: number; did: string; errors: number; why?: string; next?: string }>;
}

export interface Demo {
  projects: Array<{ id: string; name: string }>;
  learnings: DemoLearning[];
  merges: DemoMerge[];
  gaps: DemoGap[];
  slots: DemoSlot[];
  judged: DemoJudged[];
  loops: DemoLoop[];
}
