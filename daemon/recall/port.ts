import type { Learning } from '#contract/entities.ts';
import type { EmbedderSlot, Inference, RowOf } from '../inference/inference.ts';
import type { Knob, Knobs, KnobValues } from '../ports/knob.ts';
import type { Port } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import type { TextMatch } from '../store/search/words.ts';
import type { Scope } from '../store/search/shards.ts';
import type { VectorTable } from '../store/search/vectors.ts';
import type { RecallCache } from './answer-cache.ts';
import type { DateRange } from './dates/parse-dates.ts';

/** A row that may answer, as an arm found it. */
export interface Candidate {
  seq: number;
  score: number;
  /** How much it means the same as the question, 0…1, where an embedder could tell. */
  similarity?: number;
  /** What the step that scored it has to say about it; shown by `explain`. */
  note?: string;
}

/** A candidate whose note has been read, for the steps that judge words. */
export interface Ranked extends Candidate {
  learning: Learning;
}

/** The question as the steps understand it. */
interface Question {
  text: string;
  /** Without what only names a time. */
  words: string;
  range: DateRange | null;
}

/** An answer that needs no search, because the knowledge base has it as a fact. */
export interface DirectAnswer {
  field: string;
  text: string;
}

/** What a step gives: its result, a sentence about what it did, and for what it dropped, why. */
export interface Outcome<T> {
  result: T;
  says: string;
  dropped?: ReadonlyMap<number, string>;
}

/** What an arm declares of itself, so that floor, fuse and calibration need to know no arm by name. */
export interface ArmTraits {
  /** `words` and `meaning` are blended by learned weights; `finds` add their score, 0…1, times the arm's weight. */
  evidence: 'words' | 'meaning' | 'finds';
  /** What the floor measures, on 0…1: the arm's own score, or the share of the question's words that a candidate has. */
  strength: 'score' | 'coverage';
}

/** What an arm brought, with its traits and its knobs as they stand for this recall. */
export interface ArmResult extends ArmTraits {
  arm: string;
  floor: number;
  weight: number;
  candidates: Candidate[];
}

/**
 * The pipeline, in order: the question is read, a known fact may answer it, scope says where to look, the cache may know,
 * arms look side by side, floors and one fuse merge what they bring, the rest refine in turn.
 */
export interface StageData {
  query: { input: Question; output: Question };
  answer: { input: null; output: DirectAnswer | null };
  scope: { input: Scope; output: Scope };
  cache: { input: null; output: Candidate[] | null };
  arm: { input: null; output: Candidate[] };
  floor: { input: ArmResult[]; output: ArmResult[] };
  fuse: { input: ArmResult[]; output: Candidate[] };
  rerank: { input: Ranked[]; output: Ranked[] };
  gate: { input: Ranked[]; output: Ranked[] };
  boost: { input: Ranked[]; output: Ranked[] };
  diversify: { input: Ranked[]; output: Ranked[] };
  budget: { input: Ranked[]; output: Ranked[] };
}
export type Stage = keyof StageData;

/** An embedder with its weights there, the vectors it made, and the question as it sees it. */
export interface QuestionVector {
  slot: EmbedderSlot;
  model: RowOf<EmbedderSlot>;
  table: VectorTable;
  vector: Float32Array;
}

export interface RecallContext {
  question: Question;
  /** The project asked from; null outside of one. */
  project: string | null;
  tags: readonly string[];
  /** Only what was learned then; null for any time. */
  between: { start: number; end: number } | null;
  limit: number;
  db: ReadableDb;
  /** Rows recall may see; null for all. Set once the scope stage has run. */
  shards: number[] | null;
  /**
   * The only rows that may answer; null for any. Every arm looks among these alone, instead of finding from all and having the
   * others dropped after: then a member of a small corpus would be lost whenever enough strangers fit better.
   */
  only: ReadonlySet<number> | null;
  inference: Inference;
  cache: RecallCache;
  /** What a cached answer depends on besides the question; set by the pipeline. */
  cacheKey: string;
  /** Notes that share words with the question, best first: looked up once, for all who start from them. */
  wordMatches(): readonly TextMatch[];
  /** The question as the first embedder sees it, which is the one that is searched by; null without its weights. */
  firstVector(): Promise<QuestionVector | null>;
  /** The question as each embedder sees it, the first one first. All are begun when either is first asked for. */
  vectors(): Promise<QuestionVector[]>;
  now: () => number;
}

export interface RecallPort<S extends Stage = Stage, K extends Knobs = Knobs> extends Port<
  S,
  StageData[S]['input'],
  Outcome<StageData[S]['output']>,
  RecallContext,
  K
> {
  /** What passes on when the port is switched off. Narrowing widens, an arm finds nothing, a refinement lets all through. */
  off(input: StageData[S]['input']): StageData[S]['output'];
}

export function recallPort<S extends Stage, K extends Knobs>(port: RecallPort<S, K>): RecallPort<S, K> {
  return port;
}

export interface ArmPort<K extends Knobs = Knobs> extends RecallPort<'arm', K>, ArmTraits {
  floor: Knob<number>;
  /** What a find is worth in the fuse; null for words and meaning, whose weights are learned. */
  weight: Knob<number> | null;
}

interface ArmOptions<K extends Knobs> extends Omit<RecallPort<'arm', K>, 'off'>, ArmTraits {
  floor: Knob<number>;
  weight?: Knob<number>;
}

/** An arm. Its floor and weight are knobs of its own, whatever else it has. */
export function armPort<K extends Knobs>({ floor, weight, knobs, run, ...arm }: ArmOptions<K>): ArmPort {
  return {
    ...arm,
    floor,
    weight: weight ?? null,
    knobs: { ...knobs, floor, ...(weight ? { weight } : {}) },
    off: () => [],
    // The knobs handed over are those above, so its own are among them.
    run: (input, context, values) => run(input, context, values as KnobValues<K>),
  };
}

export type PortOf<S extends Stage> = S extends 'arm' ? ArmPort : RecallPort<S>;

export const byScore = <T extends Candidate>(candidates: readonly T[]): T[] =>
  candidates.toSorted((a, b) => b.score - a.score);
