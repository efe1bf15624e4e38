import type { ReadableDb } from '../db.ts';

/** Live notes of the shards (null: all) with all of this metadata; a value also matches a list that contains it. */
export function rowsWithMetadata(
  db: ReadableDb,
  filter: Record<string, string | number | boolean | null>,
  shards: number[] | null,
): number[] {
  return db.values<number>(
    `SELECT seq FROM learning
     WHERE live = 1 AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))
       AND NOT EXISTS (
         SELECT 1 FROM json_each(:filter) AS wanted WHERE NOT EXISTS (
           SELECT 1 FROM json_each(note, '$.metadata') AS had
           WHERE had.key = wanted.key AND (
             had.type = wanted.type AND had.atom IS wanted.atom
             OR had.type = 'array' AND EXISTS (SELECT 1 FROM json_each(had.value) AS item WHERE item.type = wanted.type AND item.atom IS wanted.atom))))`,
    { shards, filter: JSON.stringify(filter) },
  );
}
