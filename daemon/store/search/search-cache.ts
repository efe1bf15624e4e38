import { storageProblemOf } from '../health.ts';
import { CachedVectors } from './cached-vectors.ts';
import { CachedWords } from './cached-words.ts';
import type { CachedConnection } from './touched-rows.ts';
import type { VectorTable } from './vector-table.ts';

/**
 * The parts of the search indexes that are kept in memory: words, and the vectors that were searched. All of it is read
 * from the database and follows it row by row; while a transaction is open the database alone is right.
 */
export class SearchCache {
  readonly #db: CachedConnection;
  readonly #vectors = new Map<string, CachedVectors>();
  #words: CachedWords | null = null;
  #isDiscarded = false;

  constructor(db: CachedConnection) {
    this.#db = db;
  }

  /** The words of all notes; null while only the database has them all. */
  get words() {
    return unlessRefused(() => this.#allWords().current());
  }

  /** The vectors of a model; null while only the database has them all. */
  vectors(table: VectorTable) {
    return unlessRefused(() => this.#allVectors(table).current());
  }

  /** Reads what is missing, slice by slice, so that other work runs in between. */
  *fill(tables: readonly VectorTable[]): Generator<void> {
    for (const part of [this.#allWords(), ...tables.map((table) => this.#allVectors(table))])
      for (const _ of part.fill()) {
        yield;
        if (this.#isDiscarded) return; // the next cache reads it all, and must hear of every row
      }
  }

  /** Lets go of what is quickly read again, when nobody has asked for anything in a while. */
  rest(): void {
    for (const vectors of this.#vectors.values()) vectors.rest();
  }

  discard(): void {
    this.#isDiscarded = true;
  }

  #allWords(): CachedWords {
    return (this.#words ??= new CachedWords(this.#db));
  }

  #allVectors(table: VectorTable): CachedVectors {
    const known = this.#vectors.get(table.name) ?? new CachedVectors(this.#db, table);
    this.#vectors.set(table.name, known);
    return known;
  }
}

/** Which rows were read is noted in a temporary table. Where the disk refuses that, the database answers alone. */
function unlessRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (storageProblemOf(error) === null) throw error;
    return null;
  }
}
