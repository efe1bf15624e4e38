import { Lru } from '../platform/lru.ts';
import { jaccard } from '../text/similarity.ts';
import type { Candidate, QuestionVector } from './candidate.ts';

export interface CacheEntry {
  text: string;
  terms: Set<string>;
  vectors: QuestionVector[];
  /** Scope, time, settings and version of the knowledge base: an answer is valid only where all are the same. */
  key: string;
  at: number;
  candidates: Candidate[];
}

const MOST_ENTRIES = 200;
const LEAST_TERMS = 2; // one shared word is too little to call two questions the same

/** Recent answers, found by the same question or a similar one (R9). Kept in memory only. */
export class RecallCache {
  readonly #entries = new Lru<string, CacheEntry>(MOST_ENTRIES);

  put(entry: CacheEntry): void {
    this.#entries.set(`${entry.key}\n${entry.text}`, entry);
  }

  exact(text: string, key: string, notBefore: number): CacheEntry | null {
    const entry = this.#entries.get(`${key}\n${text}`);
    return entry && entry.at >= notBefore ? entry : null;
  }

  /** The nearest question by its words, at or above the threshold. */
  byWords(terms: Set<string>, key: string, notBefore: number, threshold: number): CacheEntry | null {
    if (terms.size < LEAST_TERMS) return null;
    return this.#nearest(key, notBefore, threshold, (entry) => jaccard(terms, entry.terms));
  }

  byMeaning(
    key: string,
    notBefore: number,
    threshold: number,
    similarity: (entry: CacheEntry) => number,
  ): CacheEntry | null {
    return this.#nearest(key, notBefore, threshold, similarity);
  }

  #nearest(
    key: string,
    notBefore: number,
    threshold: number,
    likeness: (entry: CacheEntry) => number,
  ): CacheEntry | null {
    let best: { entry: CacheEntry; likeness: number } | null = null;
    for (const entry of this.#entries.values()) {
      if (entry.key !== key || entry.at < notBefore) continue;
      const near = likeness(entry);
      if (near >= threshold && near > (best?.likeness ?? 0)) best = { entry, likeness: near };
    }
    return best?.entry ?? null;
  }
}
