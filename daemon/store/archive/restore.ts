import { NEWEST, type TableShape, tablesAt } from './schema.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, setMeta } from '../meta.ts';
import { emptySearchIndex } from '../search/words.ts';
import { emptyVectors } from '../search/vectors.ts';

const PENDING = 'import-pending';

/** An import that is committed and whose files are not all in their places yet. */
export interface PendingImport {
  /** The name of its folder among the staged imports. */
  stage: string;
  /** First the old files go out, then the new ones come in; each can be begun again after a crash. */
  phase: 'out' | 'in';
}

export function pendingImport(db: ReadableDb): PendingImport | null {
  const written = getMeta(db, PENDING);
  return written ? (JSON.parse(written) as PendingImport) : null; // written from this type, and by nothing else
}

export function setPendingImport(db: WritableDb, pending: PendingImport | null): void {
  durably(db, () => setMeta(db, PENDING, pending === null ? '' : JSON.stringify(pending)));
}

/** On disk when this returns: files are moved on the strength of it. */
function durably(db: WritableDb, commit: () => void): void {
  db.pragma('synchronous = FULL');
  try {
    commit();
  } finally {
    db.pragma('synchronous = NORMAL');
  }
}

/** Nothing that a person or a capture has put here: what was merely asked does not count. */
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
  ].every((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
}

/** With a store of our own making beside this one, as `staged`. It must be one that stageDatabase has let pass. */
export function withStaged<T>(db: WritableDb, file: string, work: () => T): T {
  db.prepare('ATTACH ? AS staged').run(file);
  try {
    return work();
  } finally {
    db.exec('DETACH staged');
  }
}

/**
 * Puts all that is knowledge in the place of what is here, as one transaction that is on disk when this returns. The machine's
 * own rows stay. `check` may still refuse, for time has passed since anyone looked.
 */
export function replaceKnowledge(db: WritableDb, file: string, stage: string, check: () => void): void {
  withStaged(db, file, () =>
    durably(
      db,
      db.transaction(() => {
        check();
        db.pragma('defer_foreign_keys = ON');
        const tables = tablesAt(NEWEST).filter(({ whole }) => whole !== false);
        for (const { name } of tables) db.exec(`DELETE FROM main.${name}`);
        for (const table of tables) db.exec(insertWhole(table));
        takeProjects(db);
        takeLineage(db, 'DO UPDATE SET state = excluded.state, learning_id = excluded.learning_id');
        // What this machine remembers of learnings that are gone must not point at nothing.
        db.exec(
          'UPDATE main.capture_window SET learning_id = NULL WHERE learning_id IS NOT NULL AND learning_id NOT IN (SELECT id FROM main.learning)',
        );
        emptyVectors(db);
        emptySearchIndex(db);
        setMeta(db, PENDING, JSON.stringify({ stage, phase: 'out' } satisfies PendingImport));
      }).immediate,
    ),
  );
}

/** Paths are written as this system writes them. */
function insertWhole({ name, columns, order }: TableShape): string {
  const local = (column: string) =>
    process.platform === 'win32' && /^(?:document_)?path$/.test(column)
      ? `replace(${column}, '/', '\\')`
      : column;
  return `INSERT INTO main.${name} (${columns.join(', ')}) SELECT ${columns.map(local).join(', ')} FROM staged.${name} ORDER BY ${order}`;
}

/** Where a project lies is known here or not at all. */
export function takeProjects(db: WritableDb): void {
  db.exec(`
    INSERT INTO main.project (id, name, root, last_seen) SELECT id, name, '', 0 FROM staged.project WHERE true
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
  `);
}

/** Windows are known by their keys; their numbers are each machine's own. */
export function takeLineage(db: WritableDb, onKnown: string, of = 'true'): void {
  const columns =
    tablesAt(NEWEST)
      .find(({ name }) => name === 'capture_window')
      ?.columns.filter((column) => column !== 'id')
      .join(', ') ?? '';
  db.exec(`
    INSERT INTO main.capture_window (${columns}) SELECT ${columns} FROM staged.capture_window
    WHERE id IN (SELECT chunk FROM staged.chunk_learning WHERE ${of}) ON CONFLICT (key) ${onKnown};
    INSERT OR IGNORE INTO main.chunk_learning (chunk, learning_id)
    SELECT here.id, link.learning_id FROM (SELECT * FROM staged.chunk_learning WHERE ${of}) AS link
    JOIN staged.capture_window AS there ON there.id = link.chunk JOIN main.capture_window AS here USING (key);
  `);
}
