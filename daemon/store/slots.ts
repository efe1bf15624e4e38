import type { Slot } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from './db.ts';

type Row = Omit<Slot, 'readOnly'> & { readOnly: number };

const COLUMNS = 'project, name, content, description, size_limit AS sizeLimit, read_only AS readOnly, updated_at AS updatedAt';
const toSlot = (row: Row): Slot => ({ ...row, readOnly: row.readOnly === 1 });

/** The slots of a project and the global ones, global first; without a project, all there are. */
export function listSlots(db: ReadableDb, project: string | undefined): Slot[] {
  return db.prepare<[object], Row>(`SELECT ${COLUMNS} FROM slot WHERE :project IS NULL OR project IN ('', :project) ORDER BY project, rowid`)
    .all({ project: project ?? null }).map(toSlot);
}

export function findSlot(db: ReadableDb, project: string, name: string): Slot | null {
  const row = db.prepare<[string, string], Row>(`SELECT ${COLUMNS} FROM slot WHERE project = ? AND name = ?`).get(project, name);
  return row ? toSlot(row) : null;
}

export function putSlot(db: WritableDb, slot: Slot): void {
  db.prepare(`
    INSERT INTO slot (project, name, content, description, size_limit, read_only, updated_at)
    VALUES (:project, :name, :content, :description, :sizeLimit, :readOnly, :updatedAt)
    ON CONFLICT (project, name) DO UPDATE SET content = :content, description = :description, size_limit = :sizeLimit, read_only = :readOnly, updated_at = :updatedAt
  `).run({ ...slot, readOnly: slot.readOnly ? 1 : 0 });
}
