import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rescan } from '../knowledge/testing.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { searchByWords } from '../store/search/words.ts';
import { runScript } from '../testing/child-script.ts';
import { given, type TempStore, tempFolder, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { placeDocuments, recoverImport } from './restore.ts';
import { archivePath, filesIn, fullStore, partsOf, silent } from './testing.ts';

const KILLED = { code: null, signal: 'SIGKILL' };
const shaOf = async (store: TempStore) =>
  (await exportArchive(partsOf(store), archivePath(), { replace: false, tell: silent })).sha256;

/** A home in use and another knowledge base as an archive, both with several folders to move. */
async function twoWorlds(): Promise<{ home: string; archive: string; old: string; new: string }> {
  const home = tempFolder();
  const store = tempStore(home);
  for (const project of ['github.com/acme/shop', 'github.com/acme/attic', 'github.com/acme/web'])
    given(store, { title: `What ${project} was`, project });
  const old = await shaOf(store);
  store.close();
  const archive = archivePath();
  const { sha256 } = await exportArchive(partsOf(fullStore()), archive, { replace: false, tell: silent });
  return { home, archive, old, new: sha256 };
}

/** Recovers as the next start does. */
async function start(home: string): Promise<TempStore> {
  const store = tempStore(home);
  expect(store.notices).toEqual([]);
  recoverImport(partsOf(store));
  flushOutbox(store.db, store.documents);
  expect(await rescan(store)).toBe(0);
  expect(existsSync(store.paths.staging)).toBe(false);
  return store;
}

describe('an import that replaces, killed', () => {
  test.each([
    ['unpacking', 1, 'old'],
    ['backup', 1, 'old'],
    ['rows replaced', 1, 'new'],
    ['a folder moved', 1, 'new'],
    ['a folder moved', 3, 'new'],
    ['old files out', 1, 'new'],
    ['a folder moved', 5, 'new'],
    ['new files in', 1, 'new'],
    ['indexing', 1, 'new'],
  ] as const)('at "%s" (%i) leaves the %s knowledge base, whole', async (step, nth, which) => {
    const worlds = await twoWorlds();
    expect(
      await runScript('import-and-die.ts', [worlds.home, worlds.archive, 'force', step, String(nth)]),
    ).toEqual(KILLED);
    const store = await start(worlds.home);
    expect(await shaOf(store)).toBe(worlds[which]);
    expect(searchByWords(store.db, 'pnpm', null, 5).length > 0).toBe(which === 'new');
    if (which === 'new')
      expect(readdirSync(store.paths.backups).filter((name) => name.endsWith('.tar'))).toHaveLength(1);
  });

  test('again while a start finishes it, is finished by the next', async () => {
    const worlds = await twoWorlds();
    await runScript('import-and-die.ts', [worlds.home, worlds.archive, 'force', 'rows replaced', '1']);
    const store = tempStore(worlds.home);
    const dies = (step: string) => {
      if (step === 'old files out') throw new Error('died');
    };
    expect(() => placeDocuments(partsOf(store), dies)).toThrow('died');
    expect(filesIn(store.documents)).toEqual({});
    store.close();
    expect(await shaOf(await start(worlds.home))).toBe(worlds.new);
  });
});

test.each([
  ['row written', 2],
  ['row committed', 2],
  ['rows merged', 1],
  ['markdown written', 2],
  ['outbox emptied', 2],
] as const)('a merge killed at "%s" (%i) has added all or nothing', async (step, nth) => {
  const worlds = await twoWorlds();
  expect(
    await runScript('import-and-die.ts', [worlds.home, worlds.archive, 'merge', step, String(nth)]),
  ).toEqual(KILLED);
  const store = await start(worlds.home);
  const learnings = store.db.prepare('SELECT count(*) FROM learning').pluck().get();
  const committed = step !== 'row written' && step !== 'row committed'; // a row is, as part of the merge, not yet
  expect(learnings).toBe(committed ? 9 : 3);
  if (!committed) expect(await shaOf(store)).toBe(worlds.old);
});
