import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EmbedderSlot, Inference } from '../inference/inference.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { embeddedText } from '../store/search/words.ts';
import { openStore, type WritableDb } from '../store/db.ts';
import { sidecarPath } from '../store/learnings/documents.ts';
import { addLearning, type Store } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { ensureVectors, putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeVectors } from './corpus.ts';
import { EMBEDDER_SLOTS } from './models-here.ts';
import { PROJECTS } from './vocabulary.ts';

/** How many texts are really embedded; the other vectors are derived from theirs. */
export const REAL_VECTORS = 200;
const MINUTE = 60_000; // ms

/** The homes of one run, each made when first asked for; all gone when the run is over. */
export class Homes {
  readonly #folder = mkdtempSync(join(tmpdir(), 'reflect-bench-'));
  readonly #filled = new Map<number, Paths>();
  readonly #inference: () => Inference;
  readonly #say: (line: string) => void;
  readonly #real = new Map<EmbedderSlot, Float32Array[]>();

  constructor(inference: () => Inference, say: (line: string) => void) {
    this.#inference = inference;
    this.#say = say;
  }

  folder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** A home with that many learnings, on disk as the daemon leaves it when it stops. */
  async filled(size: number): Promise<Paths> {
    const known = this.#filled.get(size);
    if (known) return known;
    this.#say(`writing ${size} learnings`);
    const paths = pathsOf(this.folder(`home-${size}`));
    for (const slot of EMBEDDER_SLOTS)
      if (this.#inference().available(slot) && !this.#real.has(slot))
        this.#real.set(slot, await this.#embed(slot));
    fill(paths, size, this.#inference(), this.#real);
    this.#filled.set(size, paths);
    return paths;
  }

  /** The same home once more, for a daemon that must not share it. */
  async copy(size: number, name: string): Promise<Paths> {
    const { home } = await this.filled(size);
    const folder = this.folder(name);
    cpSync(home, folder, { recursive: true });
    return pathsOf(folder);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #embed(slot: EmbedderSlot): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const note of makeNotes(REAL_VECTORS))
      vectors.push(await this.#inference().embedDocument(slot, embeddedText(note)));
    return vectors;
  }
}

export interface OpenHome {
  db: WritableDb;
  /** The vectors of every embedder that is there: a daemon that lacked some would make them while it is measured. */
  tables: Array<{ slot: EmbedderSlot; table: VectorTable }>;
  close(): void;
}

export function openHome(paths: Paths, inference: Inference): OpenHome {
  const { db } = openStore(paths.database, paths.backups);
  const tables = EMBEDDER_SLOTS.flatMap((slot) => {
    const model = inference.available(slot);
    return model ? [{ slot, table: ensureVectors(db, model.id, model.dims) }] : [];
  });
  return { db, tables, close: () => db.close() };
}

function fill(
  paths: Paths,
  size: number,
  inference: Inference,
  real: ReadonlyMap<EmbedderSlot, Float32Array[]>,
): void {
  const { db, tables, close } = openHome(paths, inference);
  const newest = Date.now();
  let number = 0;
  const store: Store = { db, documents: paths.documents, now: () => newest - (size - number) * MINUTE };
  db.transaction(() => {
    for (const id of PROJECTS)
      rememberProject(db, { id, name: id.split('/').at(-1) ?? id, root: '' }, newest);
    for (const note of makeNotes(size)) {
      addLearning(store, note, { actor: 'bench', kind: 'create', reason: 'made for the bench' });
      number += 1;
    }
    const seqs = db.prepare<[], number>('SELECT seq FROM learning ORDER BY seq').pluck().all() as number[];
    for (const { slot, table } of tables) {
      const vectors = makeVectors(real.get(slot) ?? [], seqs.length);
      seqs.forEach((seq, index) => putVector(db, table, seq, vectors[index] as Float32Array)); // one was made for each note
    }
    writeDocuments(db, paths.documents);
    // A daemon has compared them before it stopped; else it would while it is measured.
    db.exec('DELETE FROM unexamined');
  })();
  close();
}

/** As `flushOutbox` does, without an fsync a file: nobody needs these after a crash, and 20 000 of them take a minute. */
export function writeDocuments(db: WritableDb, folder: string): void {
  const folders = new Set<string>();
  for (const { path, markdown, sidecar } of db
    .prepare<[], { path: string; markdown: string; sidecar: string }>(
      'SELECT path, markdown, sidecar FROM document_outbox',
    )
    .all()) {
    const file = join(folder, path);
    if (!folders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    folders.add(dirname(file));
    writeFileSync(file, markdown, { mode: 0o600 });
    writeFileSync(join(folder, sidecarPath(path)), sidecar, { mode: 0o600 });
  }
  db.exec('DELETE FROM document_outbox');
}
