import type { EmbedderRole, RowOf } from '../inference/inference.ts';
import type { TokenVectors } from '../inference/token-vectors.ts';
import type { VectorTable } from '../store/search/vectors.ts';

/** A row that may answer, as an arm found it. */
export interface Candidate {
  seq: number;
  score: number;
  /** Similarity of meaning to the question, 0…1, where an embedder measured it. */
  similarity?: number;
  /** The words of the question that it has, where the gate looked. */
  matched?: readonly string[];
  /** How much it bears on the question, 0…1, where the gate looked. */
  relevance?: number;
  /** True for one that comes along with a relevant one, and would not have been returned alone. */
  weak?: boolean;
  /** The edge that leads to it from what the question names, where that says a cause or the like. */
  linked?: string;
  /** A remark of the step that scored it; shown by `explain`. */
  note?: string;
}

/** An embedder whose weights are available, and the vectors it made. */
export interface Embedder {
  role: EmbedderRole;
  model: RowOf<EmbedderRole>;
  table: VectorTable;
}

/** The question as an embedder sees it. */
export interface QuestionVector extends Embedder {
  vector: Float32Array;
  tokens: TokenVectors | null;
}
