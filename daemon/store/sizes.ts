import type { Output } from '#contract/methods.ts';
import type { ReadableDb } from './db.ts';

type Part = Output<'store.sizes'>[number]['part'];

/** Which tables are which part, by how their names begin; the first that fits. */
const PARTS: Array<[RegExp, Part]> = [
  [/^vec_/, 'vectors'],
  [/^learning_(fts|typed)/, 'words'],
  [/^(learning_)?entity|^relation/, 'graph'],
  [/^learning/, 'notes'],
  [/^(change|history_entry|observation_history|slot_change)/, 'history'],
  [/^(capture_window|chunk_learning|transcript|commit_link)/, 'capture'],
];

const partOf = (table: string): Part => PARTS.find(([names]) => names.test(table))?.[1] ?? 'other';

/** How much of the file each part takes with its indexes, the largest first. */
export function partSizes(db: ReadableDb): Array<{ part: Part; bytes: number }> {
  const tables = db.prepare<[], { table: string; bytes: number }>(`
    SELECT coalesce(tbl_name, name) AS "table", sum(pgsize) AS bytes FROM dbstat LEFT JOIN sqlite_schema USING (name) WHERE aggregate = TRUE GROUP BY 1
  `).all();
  const byPart = Map.groupBy(tables, ({ table }) => partOf(table));
  return [...byPart].map(([part, all]) => ({ part, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) })).toSorted((a, b) => b.bytes - a.bytes);
}
