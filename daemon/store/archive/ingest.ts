import type { Note } from '#contract/entities.ts';
import type { Slot } from '#contract/slots.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { type TableShape, tablesOf } from './schema.ts';
import { knowledgeVersion } from '../learnings/history.ts';
import { getMeta, setMeta } from '../meta.ts';
import { emptySearchIndex } from '../search/words.ts';
import { emptyVectors } from '../search/vectors.ts';
import { NOTE, PENDING_IMPORT, PENDING_MERGE } from '../columns.ts';

const PENDING = 'import-pending';

/** An import whose rows are committed and whose files are still to be moved. */
type PendingImport = ReturnType<typeof PENDING_IMPORT.read>;

export function pendingImport(db: ReadableDb): PendingImport | null {
  const written = getMeta(db, PENDING);
  return written ? PENDING_IMPORT.read(written) : null;
}

export function setPendingImport(db: WritableDb, pending: PendingImport | null): void {
  durably(db, () => setMeta(db, PENDING, pending === null ? '' : PENDING_IMPORT.write(pending)));
}

const PENDING_MERGE_KEY = 'merge-pending';

/** A merge that was started. Its archive stays in the staging folder, so that the next start can continue it. */
export type PendingMerge = ReturnType<typeof PENDING_MERGE.read>;

export function pendingMerge(db: ReadableDb): PendingMerge | null {
  const written = getMeta(db, PENDING_MERGE_KEY);
  return written ? PENDING_MERGE.read(written) : null;
}

export function setPendingMerge(db: WritableDb, pending: PendingMerge | null): void {
  setMeta(db, PENDING_MERGE_KEY, pending === null ? '' : PENDING_MERGE.write(pending));
}

/** The commit is on disk when this returns, because files are moved right after it. */
function durably(db: WritableDb, commit: () => void): void {
  db.pragma('synchronous = FULL');
  try {
    commit();
  } finally {
    db.pragma('synchronous = NORMAL');
  }
}

/** True when neither a person nor capture has stored anything; logged questions do not count. */
export function isEmpty(db: ReadableDb): boolean {
  return [
    'learning',
    'slot',
    'persona',
    'corpus',
    'stray_document',
    'trace',
    'loop',
    'history_entry',
    'observation',
  ].every((table) => !db.has(`SELECT 1 FROM ${table} LIMIT 1`));
}

/** Attaches a store that stageDatabase accepted as `staged`; returns the way to detach it. */
export function attachStaged(db: WritableDb, file: string): () => void {
  db.run('ATTACH ? AS staged', file);
  return () => void db.exec('DETACH staged');
}

/**
 * Replaces all knowledge with the staged one, in one transaction that is on disk when this returns. Rows about this
 * machine stay. False, and nothing changed, if the store is no longer at this version (null: empty): its backup then
 * lacks something.
 */
export function replaceKnowledge(
  db: WritableDb,
  file: string,
  stage: string,
  version: number | null,
): boolean {
  const detach = attachStaged(db, file);
  try {
    let isReplaced = false;
    const replace = db.transaction(() => {
      if (version === null ? !isEmpty(db) : knowledgeVersion(db) !== version) return;
      db.pragma('defer_foreign_keys = ON');
      const all = tablesOf(db);
      const tables = all.filter(({ whole }) => whole !== false);
      for (const { name } of tables) db.exec(`DELETE FROM main.${name}`);
      for (const table of tables) db.exec(insertWhole(table));
      addProjects(db);
      for (const sql of addLineage(
        'DO UPDATE SET state = excluded.state, learning_id = excluded.learning_id',
        all,
      ))
        db.exec(sql);
      // This machine's moments must not refer to learnings that are gone.
      db.exec(
        'UPDATE main.capture_window SET learning_id = NULL WHERE learning_id IS NOT NULL AND learning_id NOT IN (SELECT id FROM main.learning)',
      );
      emptyVectors(db);
      emptySearchIndex(db);
      setMeta(db, PENDING, PENDING_IMPORT.write({ stage, phase: 'out' }));
      isReplaced = true;
    });
    durably(db, () => replace.immediate());
    return isReplaced;
  } finally {
    detach();
  }
}

/** Inserts a whole table, with paths written as this system writes them. */
function insertWhole({ name, columns, order }: TableShape): string {
  const local = (column: string) =>
    process.platform === 'win32' && /^(?:document_)?path$/.test(column)
      ? `replace(${column}, '/', '\\')`
      : column;
  return `INSERT INTO main.${name} (${columns.join(', ')}) SELECT ${columns.map(local).join(', ')} FROM staged.${name} ORDER BY ${order}`;
}

export const columnsBut = (key: string, table: string, tables: TableShape[]): string =>
  tables
    .flatMap(({ name, columns }) => (name === table ? columns.filter((column) => column !== key) : []))
    .join(', ');

/** Adds names only: where a project's folder is, only this machine knows. */
export function addProjects(db: WritableDb): void {
  db.exec(`
    INSERT INTO main.project (id, name, root, last_seen) SELECT id, name, '', 0 FROM staged.project WHERE true
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
  `);
}

/** The statements that copy moments. They are matched by key; their numbers differ from machine to machine. */
export function addLineage(onKnown: string, tables: TableShape[], of = 'true'): string[] {
  const columns = columnsBut('id', 'capture_window', tables);
  return [
    `INSERT INTO main.capture_window (${columns}) SELECT ${columns} FROM staged.capture_window
     WHERE id IN (SELECT chunk FROM staged.chunk_learning WHERE ${of}) ON CONFLICT (key) ${onKnown}`,
    `INSERT OR IGNORE INTO main.chunk_learning (chunk, learning_id)
     SELECT here.id, link.learning_id FROM (SELECT * FROM staged.chunk_learning WHERE ${of}) AS link
     JOIN staged.capture_window AS there ON there.id = link.chunk JOIN main.capture_window AS here USING (key)`,
  ];
}

export interface StagedLearning {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
  /** Of its markdown, with `/`. */
  path: string;
  hash: string;
  /** Why the file does not say what the note says; null when it does. */
  problem: string | null;
}

type Row = Omit<StagedLearning, 'note'> & { note: string };
const STAGED =
  'SELECT id, note, created_at AS createdAt, updated_at AS updatedAt, document_path AS path, document_hash AS hash, document_problem AS problem';
const toStaged = ({ note, ...row }: Row): StagedLearning => ({ ...row, note: NOTE.read(note) });

/** The learnings of a staged archive, one at a time. */
export function* stagedLearnings(staged: ReadableDb): Generator<StagedLearning> {
  for (const row of staged.prepare<[], Row>(`${STAGED} FROM learning ORDER BY seq`).iterate())
    yield toStaged(row);
}

/** One of them, where the archive is attached as `staged`. */
export function stagedLearning(db: ReadableDb, id: string): StagedLearning {
  return toStaged(db.row<Row>(`${STAGED} FROM staged.learning WHERE id = ?`, id) as Row); // the comparison took the id from this table
}

/** Learnings here that are not among these. */
export function* learningsNotIn(
  db: ReadableDb,
  known: ReadonlySet<string>,
): Generator<{ id: string; title: string; project: string }> {
  const rows = db.prepare<[], { id: string; title: string; project: string }>(
    'SELECT id, title, project FROM learning ORDER BY seq',
  );
  for (const row of rows.iterate()) if (!known.has(row.id)) yield row;
}

type SlotText = Pick<Slot, 'project' | 'name' | 'content' | 'description'>;

/** Every slot, by project and name. */
export function slotsOf(db: ReadableDb): SlotText[] {
  return db.rows<SlotText>('SELECT project, name, content, description FROM slot ORDER BY project, name');
}
