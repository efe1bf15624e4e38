import { isDeepStrictEqual } from 'node:util';
import type { ArchiveDiff, ArchiveItem, Imported } from '#contract/archive.ts';
import type { Note } from '#contract/entities.ts';
import { learningsNotIn, slotsOf, type StagedLearning, stagedLearnings } from '../store/archive/ingest.ts';
import { SLICE } from '../store/archive/schema.ts';
import type { ReadableDb } from '../store/db.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';

/** Fields that record decisions about a note rather than its content: a merge keeps ours. */
const FATE: ReadonlySet<string> = new Set(['status', 'isLatest', 'supersededBy'] satisfies Array<keyof Note>);

/** An archive compared with this knowledge base. */
export interface Comparison {
  added: ArchiveItem[];
  changed: ArchiveItem[];
  missing: ArchiveItem[];
  same: number;
}

export function* compare(db: ReadableDb, staged: ReadableDb): Generator<number, Comparison> {
  const result: Comparison = { added: [], changed: [], missing: [], same: 0 };
  const seen = new Set<string>();
  for (const theirs of stagedLearnings(staged)) {
    seen.add(theirs.id);
    const ours = findLearning(db, theirs.id);
    const fields = ours ? changedFields(noteOf(ours), theirs.note) : [];
    sort(result, ours !== null, itemOf(theirs, fields));
    if (seen.size % SLICE === 0) yield seen.size;
  }
  for (const gone of learningsNotIn(db, seen)) result.missing.push({ kind: 'learning', ...gone, fields: [] });
  compareSlots(db, staged, result);
  return result;
}

function sort(result: Comparison, known: boolean, item: ArchiveItem): void {
  if (!known) result.added.push(item);
  else if (item.fields.length > 0) result.changed.push(item);
  else result.same++;
}

const itemOf = ({ id, note: { title, project } }: StagedLearning, fields: string[]): ArchiveItem => ({
  kind: 'learning',
  id,
  title,
  project,
  fields,
});

function changedFields(ours: Note, theirs: Note): string[] {
  return (Object.keys(theirs) as Array<keyof Note>).filter(
    (field) => !isDeepStrictEqual(ours[field], theirs[field]),
  );
}

function compareSlots(db: ReadableDb, staged: ReadableDb, result: Comparison): void {
  const here = new Map(slotsOf(db).map((slot) => [`${slot.project}\n${slot.name}`, slot]));
  for (const { project, name, ...theirs } of slotsOf(staged)) {
    const ours = here.get(`${project}\n${name}`);
    const fields = ours
      ? (['content', 'description'] as const).filter((field) => ours[field] !== theirs[field])
      : [];
    sort(result, ours !== undefined, { kind: 'slot', id: name, title: name, project, fields });
    here.delete(`${project}\n${name}`);
  }
  for (const { project, name } of here.values())
    result.missing.push({ kind: 'slot', id: name, title: name, project, fields: [] });
}

/** Only a person can say which of two contents is right. Slots and decisions about a note stay as they are here. */
export const isConflict = ({ kind, fields }: ArchiveItem): boolean =>
  kind === 'learning' && fields.some((field) => !FATE.has(field));

const SHOWN = 500; // of each kind; nobody reads more

export const shown = (items: ArchiveItem[]): { total: number; items: ArchiveItem[] } => ({
  total: items.length,
  items: items.slice(0, SHOWN),
});

/** The outcome of a merge, which adds and asks, and replaces or removes nothing. */
export function merged(
  { added, changed, same }: Comparison,
  outcome: Pick<Imported, 'conflicts' | 'trust' | 'changeId'>,
): Imported {
  return {
    mode: 'merge',
    ...outcome,
    added: shown(added),
    replaced: shown([]),
    removed: shown([]),
    stayed: shown(changed),
    same,
    backup: null,
    keptFiles: null,
  };
}

export function summary({ added, changed, missing, same }: Comparison): ArchiveDiff {
  return {
    added: shown(added),
    changed: shown(changed),
    conflicts: changed.filter(isConflict).length,
    missing: shown(missing),
    same,
  };
}
