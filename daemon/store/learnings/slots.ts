import * as z from 'zod';
import { type Slot, type SlotChange, SlotProposal } from '#contract/slots.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { SLOT } from '../columns.ts';
import { getMeta, setMeta } from '../meta.ts';
import { PersistedJson } from '../persisted-json.ts';

type Row = Omit<Slot, 'readOnly'> & { readOnly: number };

const COLUMNS =
  'project, name, content, description, size_limit AS sizeLimit, read_only AS readOnly, updated_at AS updatedAt, position';
const toSlot = (row: Row): Slot => ({ ...row, readOnly: row.readOnly === 1 });

/** Slots with a row, of a project and global ones, oldest first; without a project, all slots. */
export function storedSlots(db: ReadableDb, project: string | undefined): Slot[] {
  return db
    .rows<Row>(
      `SELECT ${COLUMNS} FROM slot WHERE :project IS NULL OR project IN ('', :project) ORDER BY rowid`,
      { project },
    )
    .map(toSlot);
}

export function findSlot(db: ReadableDb, project: string, name: string): Slot | null {
  const row = db.row<Row>(`SELECT ${COLUMNS} FROM slot WHERE project = ? AND name = ?`, [project, name]);
  return row ? toSlot(row) : null;
}

export function putSlot(db: WritableDb, slot: z.input<typeof Slot>): void {
  db.upsert(
    'INTO slot (project, name, content, description, size_limit, read_only, updated_at, position)',
    'project, name',
    { position: 0, ...slot },
  );
}

export function deleteSlot(db: WritableDb, { project, name }: Pick<Slot, 'project' | 'name'>): void {
  db.run('DELETE FROM slot WHERE project = ? AND name = ?', [project, name]);
}

interface ChangeRow extends Omit<SlotChange, 'before' | 'after' | 'undone'> {
  before: string | null;
  after: string | null;
  undone: number;
}

const CHANGE =
  'SELECT id, at, actor, kind, project, name, before, after, undone_by IS NOT NULL AS undone FROM slot_change';
const toChange = ({ before, after, undone, ...rest }: ChangeRow): SlotChange => ({
  ...rest,
  before: SLOT.readOrNull(before),
  after: SLOT.readOrNull(after),
  undone: undone === 1,
});

export function recordSlotChange(
  db: WritableDb,
  { before, after, ...rest }: Omit<SlotChange, 'id' | 'undone'>,
): number {
  const { project, name } = rest;
  const id = Number(
    db.insert('INTO slot_change (at, actor, kind, project, name, before, after)', {
      ...rest,
      before: before && SLOT.write(before),
      after: after && SLOT.write(after),
    }).lastInsertRowid,
  );
  db.changes.announce({ type: 'slot.changed', project, name });
  return id;
}

const LONGEST_HISTORY = 500;

export function slotHistory(db: ReadableDb, project: string, name: string): SlotChange[] {
  return db
    .rows<ChangeRow>(`${CHANGE} WHERE project = ? AND name = ? ORDER BY id DESC LIMIT ${LONGEST_HISTORY}`, [
      project,
      name,
    ])
    .map(toChange);
}

export function getSlotChange(db: ReadableDb, id: number): SlotChange {
  const row = db.row<ChangeRow>(`${CHANGE} WHERE id = ?`, id);
  if (!row) throw new DaemonError('not-found', `slot change ${id}`);
  return toChange(row);
}

export function markSlotChangeUndone(db: WritableDb, id: number, by: number): void {
  db.run('UPDATE slot_change SET undone_by = ? WHERE id = ?', [by, id]);
}

/** The number of the newest edit of a slot; null for a slot that was never edited. */
export function lastSlotChange(db: ReadableDb, project: string, name: string): number | null {
  const last = db.value<number | null>('SELECT max(id) FROM slot_change WHERE project = ? AND name = ?', [
    project,
    name,
  ]);
  return last ?? null;
}

const KEY = 'slot-proposals';
const PROPOSALS = new PersistedJson(z.strictObject({ list: z.array(SlotProposal) }));

/** Edits of slots that agents asked for, oldest first. They concern this machine, so they are not archived. */
export function readSlotProposals(db: ReadableDb): SlotProposal[] {
  const written = getMeta(db, KEY);
  return written ? PROPOSALS.read(written).list : [];
}

export function writeSlotProposals(db: WritableDb, proposals: SlotProposal[]): void {
  setMeta(db, KEY, PROPOSALS.write({ list: proposals }));
}
