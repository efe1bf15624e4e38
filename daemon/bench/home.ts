import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Note } from '#contract/entities.ts';
import type { EmbedderRole, Inference } from '../inference/inference.ts';
import { TOKEN_MODEL } from '../inference/token-vectors.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { embeddedText } from '../store/search/note-text.ts';
import type { WritableDb } from '../store/db.ts';
import { openStore } from '../store/open.ts';
import { sidecarPath } from '../store/learnings/documents.ts';
import { addLearning, type Store } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeVectors } from './corpus.ts';
import { benchEnvironment } from './daemon-process.ts';
import { cachedModels, openInference } from './models.ts';
import { vectorTables } from './recall-parts.ts';
import { PROJECTS } from './vocabulary.ts';
import { MINUTE } from '../platform/time.ts';

/** Number of notes with real embeddings; the vectors of the others are derived from these. */
export const REAL_VECTORS = 3_000;

/** The homes of one run, each created on first use and all removed at the end. */
export class Homes {
  readonly #folder = mkdtempSync(join(tmpdir(), 'reflect-bench-'));
  readonly #filled = new Map<number, Paths>();
  readonly #inference: Inference;
  readonly #say: (line: string) => void;

  constructor(inference: Inference, say: (line: string) => void) {
    this.#inference = inference;
    this.#say = say;
  }

  folder(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** A home with that many learnings, as a stopped daemon leaves it on disk. */
  async filled(size: number): Promise<Paths> {
    const known = this.#filled.get(size);
    if (known) return known;
    this.#say(`writing ${size} learnings`);
    const paths = pathsOf(this.folder(`home-${size}`));
    const { db, tables, close } = openHome(paths, this.#inference);
    const vectors = [];
    for (const { role, table } of tables) {
      const real = await embedSome(this.#inference, role, size);
      vectors.push({ table, vectors: makeVectors(real.vectors, size), tokens: real.tokens });
    }
    fillHome({ db }, paths.documents, makeNotes(size), vectors);
    // All notes are compared already; otherwise the daemon would do so while it is measured.
    db.exec('DELETE FROM unexamined');
    close();
    this.#filled.set(size, paths);
    return paths;
  }

  /** A copy of that home for a daemon that needs its own. */
  async copy(size: number, name: string): Promise<Paths> {
    const { home } = await this.filled(size);
    const folder = this.folder(name);
    cpSync(home, folder, { recursive: true });
    return pathsOf(folder);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Models and homes for a bench, gone when it ends, however that is. */
export async function openBench(say: (line: string) => void) {
  const environment = benchEnvironment();
  const inference = await openInference(environment);
  const homes = new Homes(inference, say);
  process.on('exit', () => homes.remove());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return { environment, inference, homes };
}

/** Opens a home with vector tables for every embedder; otherwise the daemon would fill them while it is measured. */
export function openHome(paths: Paths, inference: Inference) {
  const { db } = openStore(paths.database, paths.backups);
  return { db, tables: vectorTables(db, inference), close: () => void db.close() };
}

/**
 * Real embeddings of the first notes, from which the other vectors are derived. How long a question takes depends on
 * how alike the notes are, so a few thousand are embedded: in minutes, and only once on a machine.
 */
export async function embedSome(
  inference: Inference,
  role: EmbedderRole,
  size = REAL_VECTORS,
): Promise<Some> {
  const models = cachedModels(inference);
  const hasTokens = inference.available(role)?.id === TOKEN_MODEL;
  const some: Some = { vectors: [], tokens: [] };
  for (const note of makeNotes(Math.min(size, REAL_VECTORS))) {
    const text = embeddedText(note);
    some.vectors.push(await models.document(role, text));
    if (hasTokens) some.tokens.push(await models.documentTokens(role, text));
  }
  return some;
}

export interface Some {
  vectors: Float32Array[];
  /** None for a model without token vectors. */
  tokens: Buffer[];
}

/** Real tokens for a made note: not those of its own text, but as many. */
export const someTokens = (tokens: readonly Buffer[], index: number): Buffer | null =>
  tokens[index % tokens.length] ?? null;

/** Writes these notes, a minute apart, each with its vector in every table, and their documents. */
export function fillHome(
  { db }: Pick<Store, 'db'>,
  documents: string,
  notes: readonly Note[],
  vectors: ReadonlyArray<{ table: VectorTable } & Some>,
): void {
  const newest = Date.now();
  let number = 0;
  const store: Store = { db, documents, now: () => newest - (notes.length - number) * MINUTE };
  db.transaction(() => {
    for (const id of PROJECTS)
      rememberProject(db, { id, name: id.split('/').at(-1) ?? id, root: '' }, newest);
    for (const note of notes) {
      addLearning(store, note, { actor: 'bench', kind: 'create', reason: 'made for the bench' });
      number += 1;
    }
    const seqs = db.prepare<[], number>('SELECT seq FROM learning ORDER BY seq').pluck().all();
    for (const { table, vectors: all, tokens } of vectors)
      seqs.forEach(
        (seq, index) => putVector(db, table, seq, all[index] as Float32Array, someTokens(tokens, index)), // one per note
      );
    writeDocuments(db, documents);
  })();
}

/** Writes documents like `flushOutbox`, but without an fsync per file; these need not survive a crash. */
function writeDocuments(db: WritableDb, folder: string): void {
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
