import type { Output } from '#contract/methods.ts';
import { yieldToOthers } from '../platform/turns.ts';
import type { ReadableDb } from './db.ts';

type Sizes = Output<'store.sizes'>;
type Part = Sizes[number]['part'];

/** Parts of the database by the beginning of their tables' names; the first match counts. */
const PARTS: Array<[RegExp, Part]> = [
  [/^vec_/, 'vectors'],
  [/^learning_(fts|typed)/, 'words'],
  [/^(learning_)?entity|^relation/, 'graph'],
  [/^learning/, 'notes'],
  [/^(change|history_entry|observation_history|slot_change)/, 'history'],
  [/^(capture_window|chunk_learning|transcript|commit_link)/, 'capture'],
];

const partOf = (table: string): Part => PARTS.find(([names]) => names.test(table))?.[1] ?? 'other';

/** The size of each part with its indexes, largest first. Reads all pages, so it yields in between. */
export async function partSizes(db: ReadableDb): Promise<Sizes> {
  const trees = db.rows<{ name: string; table: string }>(
    'SELECT name, tbl_name AS "table" FROM sqlite_schema WHERE rootpage > 0',
  );
  const sizes = new Map<Part, number>();
  for (const { name, table } of trees) {
    const bytes = db.value<number>('SELECT pgsize FROM dbstat WHERE name = ? AND aggregate = TRUE', name);
    sizes.set(partOf(table), (sizes.get(partOf(table)) ?? 0) + (bytes ?? 0));
    await yieldToOthers();
  }
  return [...sizes].map(([part, bytes]) => ({ part, bytes })).toSorted((a, b) => b.bytes - a.bytes);
}
