import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, sidecarPath } from '../store/learnings/documents.ts';
import { given, tempStore } from '../testing/temp-home.ts';

export const NOTE = {
  title: 'Run the tests with vitest',
  rule: 'Never jest.',
  project: 'github.com/acme/shop',
  body: 'Because of ESM.',
  entities: [{ name: 'vitest', type: 'tool' as const }],
};

/** A store with one note, and hands for its file. */
export function world() {
  const store = tempStore();
  const { learning } = given(store, NOTE);
  const path = documentOf(store.db, learning.id)?.path ?? '';
  const file = join(store.documents, path);
  const read = () => readFileSync(file, 'utf8');
  const edit = (from: string, to: string) => writeFileSync(file, read().replace(from, to));
  return { store, id: learning.id, learning, path, file, sidecar: sidecarPath(file), read, edit };
}
