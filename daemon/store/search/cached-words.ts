import { NOTE } from '../columns.ts';
import { isSearchable } from '../learnings/searchable.ts';
import { weighedTexts } from './note-text.ts';
import { type CachedConnection, TouchedRows } from './touched-rows.ts';
import { WordIndex } from './word-index.ts';
import { slices } from '../../platform/slices.ts';

const SMALL = 300; // notes that a search may read itself
const SLICE = 10; // notes
const MOST_WASTE = 0.5; // share of entries of notes that are gone, at which it is built again

interface Row {
  seq: number;
  note: string;
  shard: number;
  live: number;
}

/** The word index in memory, in step with the notes. */
export class CachedWords {
  readonly #db: CachedConnection;
  readonly #touched: TouchedRows;
  #index: WordIndex | null = null;
  #isBuilding = false;

  constructor(db: CachedConnection) {
    this.#db = db;
    this.#touched = new TouchedRows(db, 'learning', 'note, shard');
  }

  /** Complete and up to date, or null where reading all that is missing would keep a search waiting. */
  current(): WordIndex | null {
    if (!this.#index && !this.#isBuilding && this.#isSmall()) for (const _ of this.fill());
    const touched = this.#index ? this.#touched.some(SMALL + 1) : [];
    if (touched.length > SMALL) return null;
    if (touched.length > 0) this.#renew(touched);
    return this.#index;
  }

  *fill(): Generator<void> {
    if (this.#isBuilding) return;
    if (!this.#index || this.#index.waste > MOST_WASTE) yield* this.#build();
    for (let touched = this.#touched.some(SLICE); touched.length > 0; touched = this.#touched.some(SLICE)) {
      this.#renew(touched);
      yield;
    }
  }

  *#build(): Generator<void> {
    this.#index = null;
    this.#isBuilding = true;
    try {
      const index = new WordIndex();
      this.#touched.settleAll(); // what is written from now on is read again at the end
      const next = this.#db.prepare<[number, number], Row>(`${ROWS} WHERE seq > ? ORDER BY seq LIMIT ?`);
      for (const rows of slices<Row>((last) => next.all(last?.seq ?? 0, SLICE))) {
        for (const row of rows) put(index, row);
        yield;
      }
      index.compact();
      this.#index = index;
    } finally {
      this.#isBuilding = false;
    }
  }

  #renew(seqs: readonly number[]): void {
    for (const seq of seqs) {
      const row = this.#db.prepare<[number], Row>(`${ROWS} WHERE seq = ?`).get(seq);
      if (row && this.#index) put(this.#index, row);
      else this.#index?.remove(seq);
    }
    this.#touched.settle(seqs);
  }

  #isSmall(): boolean {
    return this.#db.prepare('SELECT 1 FROM learning LIMIT 1 OFFSET ?').get(SMALL) === undefined;
  }
}

const ROWS = 'SELECT seq, note, shard, live FROM learning';

function put(index: WordIndex, { seq, note: written, shard, live }: Row): void {
  const note = NOTE.read(written);
  index.put(seq, weighedTexts(note), isSearchable(note) ? { shard, live: live === 1 } : null);
}
