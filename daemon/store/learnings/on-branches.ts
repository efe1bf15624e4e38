import type { ReadableDb } from '../db.ts';

/**
 * Ids of the notes that belong to a branch and are in use or may be; not those somebody gave back to it after this
 * actor moved them.
 */
export function notesOnBranches(db: ReadableDb, actor: string): string[] {
  return db.values<string>(
    `SELECT learning.id FROM shard JOIN learning ON learning.shard = shard.id
     WHERE shard.branch <> '' AND learning.status IN ('active', 'proposed', 'candidate')
       AND NOT EXISTS (SELECT 1 FROM change WHERE learning_id = learning.id AND actor = ? AND undone_by IS NOT NULL)
     ORDER BY learning.seq`,
    actor,
  );
}

/** True when a person or their editor chose the branch of this note. */
export function branchWasChosen(db: ReadableDb, id: string, actors: readonly string[]): boolean {
  return db.has(
    `SELECT 1 FROM change
     WHERE learning_id = :id AND actor IN (SELECT value FROM json_each(:actors))
       AND EXISTS (SELECT 1 FROM json_each(fields) WHERE value = 'branch')`,
    { id, actors },
  );
}
