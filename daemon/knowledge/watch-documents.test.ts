import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../platform/log.ts';
import { historyOf } from '../store/learnings/history.ts';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { countDocumentProblems, findLearning, getLearning } from '../store/learnings/learnings.ts';
import { EDITED, given, tempStore } from '../testing/temp-home.ts';
import { watchDocuments } from './watch-documents.ts';

async function watched() {
  const store = tempStore();
  mkdirSync(store.documents, { recursive: true });
  const watch = await watchDocuments(store, silentLog);
  onTestFinished(() => watch.close());
  const { id } = given(store, {
    title: 'Run the tests with vitest',
    rule: 'Never jest.',
    project: 'github.com/acme/shop',
  }).learning;
  const file = join(store.documents, documentOf(store.db, id)?.path ?? '');
  return { store, id, file };
}

const WITHIN = { timeout: 10_000, interval: 20 };

test('a file edited, added, broken and deleted during the watch is ingested', async () => {
  const { store, id, file } = await watched();
  writeFileSync(file, readFileSync(file, 'utf8').replace('Never jest.', 'Never ava.'));
  await vi.waitFor(() => expect(getLearning(store.db, id).rule).toBe('Never ava.'), WITHIN);

  mkdirSync(join(store.documents, 'global'), { recursive: true });
  writeFileSync(join(store.documents, 'global', 'use-tabs.md'), '---\ntitle: Use tabs\n---\n');
  await vi.waitFor(() => expect(findLearning(store.db, 'use-tabs')?.title).toBe('Use tabs'), WITHIN);

  writeFileSync(join(store.documents, 'global', 'broken.md'), 'nothing');
  await vi.waitFor(() => expect(countDocumentProblems(store.db)).toBe(1), WITHIN);

  rmSync(file);
  await vi.waitFor(() => expect(getLearning(store.db, id).status).toBe('forgotten'), WITHIN);
});

test('a whole folder that is copied in is ingested, every note of it', async () => {
  const { store } = await watched();
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  for (const number of numbers) {
    mkdirSync(join(store.documents, `new-${number}`, 'branches', 'x'), { recursive: true });
    writeFileSync(
      join(store.documents, `new-${number}`, 'branches', 'x', `note-${number}.md`),
      `---\ntitle: Note ${number}\n---\n`,
    );
  }
  await vi.waitFor(
    () => expect(numbers.filter((number) => !findLearning(store.db, `note-${number}`))).toEqual([]),
    WITHIN,
  );
});

test('our own writes do not come back as edits', async () => {
  const { store, id } = await watched();
  changeLearning(store, id, { rule: 'Never mocha.' }, EDITED);
  changeLearning(store, id, { project: 'github.com/acme/billing' }, EDITED);
  changeLearning(store, id, { status: 'forgotten' }, EDITED);
  changeLearning(store, id, { status: 'active' }, EDITED);
  // Changes are reported in order: once a later one is ingested, so is everything before it.
  writeFileSync(join(store.documents, 'later.md'), '---\ntitle: Later\n---\n');
  await vi.waitFor(() => expect(findLearning(store.db, 'later')?.title).toBe('Later'), WITHIN);
  expect(historyOf(store.db, id).map(({ actor }) => actor)).toEqual(['test', 'test', 'test', 'test', 'test']);
  expect(getLearning(store.db, id)).toMatchObject({
    rule: 'Never mocha.',
    status: 'active',
    documentProblem: null,
  });
});
