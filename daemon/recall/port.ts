import type { Learning } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import type { Knobs } from '../ports/knob.ts';
import type { Port } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import type { Scope } from '../store/shards.ts';
import type { VectorTable } from '../store/vectors.ts';

/** A row that may answer, as an arm found it. */
export interface Candidate {
  seq: number;
  score: number;
  /** What the step that scored it has to say about it; shown by `explain`. */
  note?: string;
}

/** A candidate whose note has been read, for the steps that judge words. */
export interface Ranked extends Candidate {
  learning: Learning;
}

/** What a step gives: its result, a sentence about what it did, and for what it dropped, why. */
export interface Outcome<T> {
  result: T;
  says: string;
  dropped?: ReadonlyMap<number, string>;
}

/** The pipeline, in order: scope says where to look, arms look side by side, one fuse merges, the rest refine in turn. */
export interface StageData {
  scope: { input: Scope; output: Scope };
  arm: { input: null; output: Candidate[] };
  fuse: { input: ArmResult[]; output: Candidate[] };
  rerank: { input: Ranked[]; output: Ranked[] };
  budget: { input: Ranked[]; output: Ranked[] };
}
export type Stage = keyof StageData;

export interface ArmResult {
  arm: string;
  candidates: Candidate[];
}

export interface RecallContext {
  query: string;
  limit: number;
  db: ReadableDb;
  /** Rows recall may see; null for all. Set once the scope stage has run. */
  shards: number[] | null;
  inference: Inference;
  vectors: VectorTable | null;
  now: () => number;
}

export interface RecallPort<S extends Stage = Stage, K extends Knobs = Knobs>
  extends Port<S, StageData[S]['input'], Outcome<StageData[S]['output']>, RecallContext, K> {
  /** What passes on when the port is switched off. Narrowing widens, an arm finds nothing, a refinement lets all through. */
  off(input: StageData[S]['input']): StageData[S]['output'];
}

export function recallPort<S extends Stage, K extends Knobs>(port: RecallPort<S, K>): RecallPort<S, K> {
  return port;
}

export const byScore = <T extends Candidate>(candidates: readonly T[]): T[] => candidates.toSorted((a, b) => b.score - a.score);
