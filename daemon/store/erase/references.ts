import type { Learning } from '#contract/entities.ts';
import type { WritableDb } from '../db.ts';
import { getLearning } from '../learnings/learnings.ts';
import { changeLearning, type Store } from '../learnings/write.ts';
import type { ErasedParts } from './rows.ts';

const GONE = 'a deleted learning';
const SHORTEST = 8; // characters; shorter texts stand in many notes

/**
 * Notes that name a deleted one, because it superseded them or they were concluded from it, lose every trace of it: in
 * the note, its file and its history. The id of a note repeats its title. Call it before the rows are deleted.
 */
export function forgetReferences(store: Store, erased: ErasedParts): void {
  const ids = erased.learnings.map(({ id }) => id);
  const naming = notesNaming(store.db, ids);
  if (naming.length === 0) return;
  const texts = ids.flatMap((id) => textsOf(getLearning(store.db, id)));
  for (const id of naming) {
    const { changeId } = changeLearning(store, id, without(getLearning(store.db, id), ids), {
      actor: 'person',
      kind: 'update',
      reason: 'a learning it names was deleted',
      keepsDate: true,
    });
    for (const text of texts) scrubHistory(store.db, id, text);
    store.db.run('UPDATE change SET undone_by = id WHERE id = ?', changeId); // nothing to undo
  }
}

function notesNaming(db: WritableDb, ids: readonly string[]): string[] {
  return db.values<string>(
    `SELECT id FROM learning WHERE id NOT IN (SELECT value FROM json_each(:ids)) AND (
     note ->> '$.supersededBy' IN (SELECT value FROM json_each(:ids))
     OR EXISTS (SELECT 1 FROM json_each(note, '$.metadata.sources') WHERE value IN (SELECT value FROM json_each(:ids))))`,
    { ids },
  );
}

function without({ supersededBy, metadata, body }: Learning, ids: readonly string[]): Partial<Learning> {
  const sources = Array.isArray(metadata.sources) ? metadata.sources : null;
  return {
    supersededBy: supersededBy !== null && ids.includes(supersededBy) ? null : supersededBy,
    metadata: sources
      ? { ...metadata, sources: sources.filter((id) => !ids.includes(String(id))) }
      : metadata,
    body: body
      .split('\n')
      .filter((line) => !ids.some((id) => line.includes(id)))
      .join('\n'),
  };
}

const textsOf = ({ id, title, rule, fix }: Learning): string[] =>
  [id, title, rule, fix].filter((text) => text.length >= SHORTEST);

/** Snapshots are JSON, so a text stands in them as JSON writes it. */
function scrubHistory(db: WritableDb, id: string, text: string): void {
  const written = JSON.stringify(text).slice(1, -1);
  db.run(
    `UPDATE change SET reason = replace(reason, :text, :gone), before = replace(before, :written, :gone),
     after = replace(after, :written, :gone) WHERE learning_id = :id`,
    { id, text, written, gone: GONE },
  );
}
