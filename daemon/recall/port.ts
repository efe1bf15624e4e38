import type { Candidate, Embedder, QuestionVector } from './candidate.ts';
import type { Learning } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { descending } from '../platform/descending.ts';
import {
  allPerProject,
  type Knob,
  type Knobs,
  type KnobValues,
  type PerProject,
  perProject,
} from '../ports/knob.ts';
import { type Port, projectPort } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import type { TextMatch } from '../store/search/words.ts';
import type { Scope } from '../store/search/shards.ts';
import type { RecallCache } from './answer-cache.ts';
import type { DateRange } from './dates/parse-dates.ts';

/** A candidate whose note has been read, for the steps that judge words. */
export interface Ranked extends Candidate {
  learning: Learning;
}

/** The question as the steps understand it. */
interface Question {
  text: string;
  /** The text without the phrase that names a time. */
  words: string;
  range: DateRange | null;
}

/** An answer that needs no search, because the knowledge base has it as a fact. */
export interface DirectAnswer {
  field: string;
  text: string;
}

/** The outcome of a step: its result, a sentence about what it did, and why it dropped what it dropped. */
export interface Outcome<T> {
  result: T;
  says: string;
  dropped?: ReadonlyMap<number, string>;
  /** The nearest of those it refused, where it refused all of them. */
  nearMisses?: readonly NearMiss[];
  /** A sentence for the caller: the answer does not quite fit the question. */
  notice?: string;
}

/** A candidate that was not relevant enough, and how relevant it is. */
export interface NearMiss {
  seq: number;
  relevance: number;
}

/** Traits an arm declares, so that floor, fuse and calibration need to know no arm by name. */
interface ArmTraits {
  /** `words` and `meaning` are blended by learned weights; `finds` add their score, 0…1, times the arm's weight. */
  evidence: 'words' | 'meaning' | 'finds';
  /** The measure of the floor, 0…1: the arm's own score, or the share of the question's words in a candidate. */
  strength: 'score' | 'coverage';
}

/** An arm's candidates, with its traits and its knobs as resolved for this recall. */
export interface ArmResult extends ArmTraits {
  arm: string;
  floor: number;
  weight: number;
  candidates: Candidate[];
}

/** The links that arms found, by candidate. */
export const linksIn = (arms: readonly ArmResult[]): Map<number, Pick<Candidate, 'linked'>> =>
  new Map(
    arms.flatMap(({ candidates }) =>
      candidates.flatMap(({ seq, linked }) => (linked === undefined ? [] : [[seq, { linked }] as const])),
    ),
  );

/**
 * The pipeline, in order: the question is read, a known fact may answer it, scope decides where to search, the cache
 * may know, arms search side by side, floors and one fuse merge what they bring, the rest refine in turn.
 */
export interface StageData {
  query: { input: Question; output: Question };
  answer: { input: null; output: DirectAnswer | null };
  scope: { input: Scope; output: Scope };
  cache: { input: string; output: Candidate[] | null };
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

/** One recall as it was asked: known before anything is searched, and never changed. */
export interface RecallRequest {
  readonly question: Question;
  /** Where to search, as the caller asked; its project is the one asked from, null outside of one. */
  readonly scope: Scope;
  readonly tags: readonly string[];
  /** Only learnings of that time; null for any time. */
  readonly between: { start: number; end: number } | null;
  readonly limit: number;
  /** Asks every embedder: for a caller who judges each hit by its similarity. */
  readonly thorough: boolean;
  /** When the answer is needed, on the clock of `performance.now()`; null for a caller who can wait. */
  readonly deadline: number | null;
  /**
   * The only rows that may answer; null for any. Every arm searches these alone: if it searched all and dropped the
   * others afterwards, a member of a small corpus would be lost whenever enough strangers fit better.
   */
  readonly only: ReadonlySet<number> | null;
  readonly db: ReadableDb;
  /** Changes with every note and every vector, so that no cached answer outlives them. */
  readonly version: string;
  readonly inference: Inference;
  /** The vectors of each embedder, the first one first. */
  readonly indexes: ReadonlyArray<Pick<VectorIndex, 'role' | 'table'>>;
  readonly cache: RecallCache;
  readonly now: () => number;
}

/** The request after its question was read and its scope resolved: all that the searching and refining steps need. */
export interface RecallContext extends RecallRequest {
  /** Shards to search; null for all. */
  readonly shards: number[] | null;
  /** At most so many notes that share words with the question, best first; no step searches again for fewer. */
  wordMatches: (most: number) => TextMatch[];
  /** Searches by all that needs no vector. Models run on other threads, so a caller who needs both calls this first. */
  searchAhead: () => void;
  /** Every embedder that can be used, the first one first. */
  readonly embedders: readonly Embedder[];
  /** The question as the embedder sees it that is searched by; null without any. */
  leadVector: () => Promise<QuestionVector | null>;
  /** The question as each embedder sees it, the first one first: waits for the slowest. */
  vectors: () => Promise<QuestionVector[]>;
  /** The same of those that were started so far. */
  startedVectors: () => Promise<QuestionVector[]>;
}

/** Query, answer and scope run before there is anything to search in. */
export type ContextOf<S extends Stage> = S extends 'query' | 'answer' | 'scope'
  ? RecallRequest
  : RecallContext;

export interface RecallPort<S extends Stage = Stage, K extends Knobs = Knobs> extends Port<
  S,
  StageData[S]['input'],
  Outcome<StageData[S]['output']>,
  ContextOf<S>,
  K
> {
  /** Its result when switched off: narrowing widens, an arm finds nothing, a refinement passes everything on. */
  off(input: StageData[S]['input']): StageData[S]['output'];
}

/** Recall resolves every knob for the project it is asked from, so a project may set them all. */
export function recallPort<S extends Stage, K extends Knobs>(
  port: RecallPort<S, K>,
): RecallPort<S, PerProject<K>> {
  // A knob that a project may set has the same values as before; TypeScript cannot see that through the mapped type.
  return projectPort(port) as unknown as RecallPort<S, PerProject<K>>;
}

export interface ArmPort<K extends Knobs = Knobs> extends RecallPort<'arm', K>, ArmTraits {
  floor: Knob<number>;
  /** The value of a find in the fuse; null for words and meaning, whose weights are learned. */
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
    switch: perProject(arm.switch),
    floor: perProject(floor),
    weight: weight ? perProject(weight) : null,
    knobs: allPerProject({ ...knobs, floor, ...(weight ? { weight } : {}) }),
    off: () => [],
    // The knobs handed over are those above, so its own are among them.
    run: (input, context, values) => run(input, context, values as KnobValues<K>),
  };
}

/**
 * A cache is asked before the search and remembers its result after it. The key is all an answer depends on besides the
 * question.
 */
export interface CachePort<K extends Knobs = Knobs> extends RecallPort<'cache', K> {
  remember(key: string, found: Candidate[], context: RecallContext): void;
}

export function cachePort<K extends Knobs>(port: CachePort<K>): CachePort<PerProject<K>> {
  return projectPort(port) as unknown as CachePort<PerProject<K>>; // as in recallPort
}

export type PortOf<S extends Stage> = S extends 'arm'
  ? ArmPort
  : S extends 'cache'
    ? CachePort
    : RecallPort<S>;

export const byScore = <T extends Candidate>(candidates: readonly T[]): T[] =>
  candidates.toSorted((a, b) => descending(a.score, b.score));
