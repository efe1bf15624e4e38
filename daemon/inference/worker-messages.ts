import type { TokenVectors } from './token-vectors.ts';

/** The files of one model, as they were when their hashes were checked. */
export interface CheckedFiles {
  /** Changes with the files, so that a session of older files is never used. */
  key: string;
  weights: CheckedFile;
  tokenizer: CheckedFile;
}

export interface CheckedFile {
  path: string;
  bytes: number;
  mtimeMs: number;
}

export type Work =
  | {
      kind: 'embed';
      files: CheckedFiles;
      maxTokens: number;
      pooling: 'cls' | 'mean';
      withTokens: boolean;
      text: string;
    }
  | { kind: 'rerank'; files: CheckedFiles; maxTokens: number; query: string; passages: string[] };

export type Job = Work & { ticket: number };

/** `stop`: the thread ends itself once every job is answered. */
export type WorkerRequest = Job | { kind: 'stop' };

/** A vector with its tokens, or a score per passage. */
export interface Computed {
  values: Float32Array;
  tokens: TokenVectors | null;
}

export type WorkerReply =
  | ({ kind: 'done'; ticket: number } & Computed)
  | { kind: 'loaded'; key: string; ms: number }
  /** `load`: the model cannot be used at all; `run`: only this job failed. */
  | { kind: 'failed'; ticket: number; stage: 'load' | 'run'; message: string };

export interface WorkerSettings {
  threads: number;
}
