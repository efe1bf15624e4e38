import type { Change, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { NOTE } from '../columns.ts';
import { readStrings } from '../persisted-json.ts';

interface NewChange extends Omit<Change, 'id' | 'fields' | 'undone' | 'proofCount'> {
  proofsBefore: number | null;
}

export function recordChange(db: WritableDb, change: NewChange): number {
  const { before, after, ...rest } = change;
  return Number(
    db.insert(
      'INTO change (at, actor, kind, learning_id, reason, fields, before, after, unit, source, proofs_before, proofs_added)',
      {
        ...rest,
        fields: changedFields(before, after),
        before: before && NOTE.write(before),
        after: after && NOTE.write(after),
      },
    ).lastInsertRowid,
  );
}

function changedFields(before: Note | null, after: Note | null): string[] {
  if (!before || !after) return [];
  return (Object.keys(after) as Array<keyof Note>).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

type Row = Omit<Change, 'fields' | 'before' | 'after' | 'undone'> & {
  fields: string;
  before: string | null;
  after: string | null;
  undone: number;
};

const SELECT = `SELECT id, at, actor, kind, learning_id AS learningId, reason, source, unit, fields, before, after,
  proofs_before AS proofCount, proofs_added AS proofsAdded, undone_by IS NOT NULL AS undone FROM change`;
const toChange = ({ fields, before, after, undone, ...rest }: Row): Change => ({
  ...rest,
  fields: readStrings(fields),
  before: NOTE.readOrNull(before),
  after: NOTE.readOrNull(after),
  undone: undone === 1,
});

/** Grows with every change of any note. */
export function knowledgeVersion(db: ReadableDb): number {
  return db.value<number | null>('SELECT max(id) FROM change') ?? 0;
}

/** Differs after every write to the database, by any connection. */
export function changeMark(db: ReadableDb): string {
  const ours = db.value<number>('SELECT total_changes()');
  const others = db.value<number>('SELECT data_version FROM pragma_data_version');
  return `${String(ours)}.${String(others)}`;
}

export function historyOf(db: ReadableDb, learningId: string): Change[] {
  return db.rows<Row>(`${SELECT} WHERE learning_id = ? ORDER BY id DESC LIMIT 500`, learningId).map(toChange);
}

/** The changes for this reason that were not undone. */
export function changesFor(db: ReadableDb, kind: string, reason: string): Change[] {
  return db
    .rows<Row>(`${SELECT} WHERE kind = ? AND reason = ? AND undone_by IS NULL ORDER BY id`, [kind, reason])
    .map(toChange);
}

/** The note as it was created. */
export function noteAsCreated(db: ReadableDb, learningId: string): Note | null {
  const after = db.value<string>(
    `SELECT after FROM change WHERE learning_id = ? AND kind = 'create' ORDER BY id LIMIT 1`,
    learningId,
  );
  return NOTE.readOrNull(after ?? null);
}

/** The date of the version that a change replaced: when an earlier change, other than an undo, left the note so. */
export function dateBefore(
  db: ReadableDb,
  { id, learningId }: Pick<Change, 'id' | 'learningId'>,
): number | undefined {
  return db.value<number>(
    `SELECT at FROM change WHERE learning_id = :learningId AND id < :id AND kind NOT IN ('undo', 'prove')
       AND after = (SELECT before FROM change WHERE id = :id) ORDER BY id DESC LIMIT 1`,
    { id, learningId },
  );
}

/** The change with this id, or the newest one that can be undone. */
export function changeToUndo(db: ReadableDb, id: number | undefined): Change {
  const row =
    id === undefined
      ? db.row<Row>(
          `${SELECT} WHERE undone_by IS NULL AND kind NOT IN ('undo', 'prove') ORDER BY id DESC LIMIT 1`,
        )
      : db.row<Row>(`${SELECT} WHERE id = ?`, id);
  if (!row) throw new DaemonError('not-found', id === undefined ? 'nothing to undo' : `change ${id}`);
  if (row.undone === 1) throw new DaemonError('conflict', `change ${row.id} is already undone`);
  return toChange(row);
}

/** Changes of the event this change belongs to that are not undone, the last one first, at most so many. */
export function changesOfEvent(
  db: ReadableDb,
  { id, unit }: Pick<Change, 'id' | 'unit'>,
  limit: number,
): Change[] {
  const first = unit ?? id;
  return db
    .rows<Row>(`${SELECT} WHERE (id = ? OR unit = ?) AND undone_by IS NULL ORDER BY id DESC LIMIT ?`, [
      first,
      first,
      limit,
    ])
    .map(toChange);
}

/** True when this source has proven the learning before; undone proofs do not count. */
export function isProvenBy(db: ReadableDb, learningId: string, source: string): boolean {
  return (
    source !== '' &&
    db.has('SELECT 1 FROM change WHERE learning_id = ? AND source = ? AND undone_by IS NULL', [
      learningId,
      source,
    ])
  );
}

/** True when somebody undid what this actor did to the learning. */
export function wasUndone(db: ReadableDb, learningId: string, actor: string): boolean {
  return db.has('SELECT 1 FROM change WHERE learning_id = ? AND actor = ? AND undone_by IS NOT NULL', [
    learningId,
    actor,
  ]);
}

export function markUndone(db: WritableDb, id: number, by: number): void {
  db.run('UPDATE change SET undone_by = ? WHERE id = ?', [by, id]);
}
