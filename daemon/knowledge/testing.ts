import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rescanDocuments } from './hand-edits.ts';
import { documentOf, sidecarPath } from '../store/learnings/documents.ts';
import { liveTitles, markUnexamined } from '../store/learnings/unexamined.ts';
import type { Store } from '../store/learnings/write.ts';
import { given, tempStore } from '../testing/temp-home.ts';

export const NOTE = {
  title: 'Run the tests with vitest',
  rule: 'Never jest.',
  project: 'github.com/acme/shop',
  body: 'Because of ESM.',
  entities: [{ name: 'vitest', type: 'tool' as const }],
};

/** A rescan that nothing interrupts. */
export const rescan = (store: Store): Promise<number> => rescanDocuments(store, new AbortController().signal);

/** Makes the sweep compare every live note once more. */
export function unexamineAll({ db }: Store): void {
  for (const { seq } of liveTitles(db, 0, 1_000_000)) markUnexamined(db, seq);
}

/** A store with one note, and functions to read and edit its file. */
export function world() {
  const store = tempStore();
  const { learning } = given(store, NOTE);
  const path = documentOf(store.db, learning.id)?.path ?? '';
  const file = join(store.documents, path);
  const read = () => readFileSync(file, 'utf8');
  const edit = (from: string, to: string) => writeFileSync(file, read().replace(from, to));
  return { store, id: learning.id, learning, path, file, sidecar: sidecarPath(file), read, edit };
}
