import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { rescan } from '../../knowledge/testing.ts';
import { runScript } from '../../testing/child-script.ts';
import { AFTER, BEFORE, STEPS, WRITES } from '../../testing/interrupted-writes.ts';
import { CREATED, tempFolder, type TempStore, tempStore } from '../../testing/temp-home.ts';
import { historyOf } from './history.ts';
import { parseDocument } from './document-format.ts';
import { documentHash, knownDocuments, readDocument } from './documents.ts';
import { flushOutbox } from './outbox.ts';
import { addLearning } from './write.ts';
import { findLearning, getLearning, noteOf } from './learnings.ts';
import { searchByWords } from '../search/words.ts';

/** Row, markdown, sidecar and indexes agree, and no other file is left. */
async function expectWhole(store: TempStore, expected: Note): Promise<void> {
  const known = knownDocuments(store.db);
  expect(known).toHaveLength(1);
  const [{ id, path, hash, problem } = { id: '', path: '', hash: '', problem: '' }] = known;
  expect(problem).toBeNull();
  expect(noteOf(getLearning(store.db, id))).toEqual(expected);
  const files = readDocument(store.documents, path);
  if (!files) throw new Error(`${path} is not there`);
  expect(parseDocument(files)).toMatchObject({ id, note: expected });
  expect(documentHash(files)).toBe(hash);
  expect(filesBelow(store.documents)).toEqual([path, path.replace(/\.md$/, '.entities.yaml')].toSorted());
  expect(store.db.prepare('SELECT count(*) FROM document_outbox').pluck().get()).toBe(0);
  const live = expected.status === 'active' ? 1 : 0;
  expect(searchByWords(store.db, 'vitest tests', null, 5)).toHaveLength(live);
  expect(await rescan(store)).toBe(0);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** As the next start does. */
async function start(home: string): Promise<TempStore> {
  const store = tempStore(home);
  expect(store.notices).toEqual([]);
  flushOutbox(store.db, store.documents);
  await rescan(store);
  return store;
}

describe.each(STEPS)('a daemon killed at the step "%s"', (step) => {
  test('of adding a note leaves all of it or, before the commit, nothing', async () => {
    const home = tempFolder();
    expect(await runScript('write-and-die.ts', [home, WRITES.create, step])).toEqual({
      code: null,
      signal: 'SIGKILL',
    });
    const store = await start(home);
    if (step === 'row written') expect(knownDocuments(store.db)).toEqual([]);
    else await expectWhole(store, Note.parse(BEFORE));
  });

  test.each(['update', 'move', 'forget'] as const)(
    'of a change (%s) leaves the note as it was or as it became, never between',
    async (write) => {
      const home = tempFolder();
      const before = tempStore(home);
      const { learning } = addLearning(before, Note.parse(BEFORE), CREATED);
      before.close();
      expect(await runScript('write-and-die.ts', [home, write, step, learning.id])).toEqual({
        code: null,
        signal: 'SIGKILL',
      });
      const store = await start(home);
      const committed = step !== 'row written';
      await expectWhole(store, { ...Note.parse(BEFORE), ...(committed ? AFTER[write] : {}) });
      expect(historyOf(store.db, learning.id)).toHaveLength(committed ? 2 : 1);
      expect(findLearning(store.db, learning.id)?.createdAt).toBe(learning.createdAt);
    },
  );
});
