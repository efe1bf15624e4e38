import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { undo } from '../knowledge/revise.ts';
import { rescan } from '../knowledge/testing.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { searchByWords } from '../store/search/words.ts';
import { runScript } from '../testing/child-script.ts';
import { given, type TempStore, tempFolder, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { resumeMerge } from './import.ts';
import { placeDocuments, recoverImport } from './restore.ts';
import { archivePath, filesIn, fullStore, partsOf, silent } from './testing.ts';

const KILLED = { code: null, signal: 'SIGKILL' };
const shaOf = async (store: TempStore) =>
  (await exportArchive(partsOf(store), archivePath(), { replace: false, report: silent })).sha256;

/** A home in use and another knowledge base as an archive, both with several folders to move. */
async function twoWorlds(): Promise<{ home: string; archive: string; old: string; new: string }> {
  const home = tempFolder();
  const store = tempStore(home);
  for (const project of ['github.com/acme/shop', 'github.com/acme/attic', 'github.com/acme/web'])
    given(store, { title: `What ${project} was`, project });
  const old = await shaOf(store);
  store.close();
  const archive = archivePath();
  const { sha256 } = await exportArchive(partsOf(fullStore()), archive, { replace: false, report: silent });
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

/** The same with more notes than one transaction of a merge takes. */
async function manyNotes(): Promise<{ home: string; archive: string }> {
  const { home } = await twoWorlds();
  const donor = fullStore();
  for (let number = 0; number < 20; number++) given(donor, { title: `Note ${number}`, project: 'p' });
  const archive = archivePath();
  await exportArchive(partsOf(donor), archive, { replace: false, report: silent });
  return { home, archive };
}

test.each([
  ['row written', 2, 3],
  ['notes merged', 1, 7],
  ['markdown written', 10, 15],
  ['outbox emptied', 26, 29],
] as const)(
  'a merge killed at "%s" (%i) is continued at the next start, and one undo takes it all back',
  async (step, nth, before) => {
    const { home, archive } = await manyNotes();
    const script = [home, archive, 'merge', step, String(nth)];
    expect(await runScript('import-and-die.ts', script)).toEqual(KILLED);
    const store = tempStore(home);
    recoverImport(partsOf(store));
    flushOutbox(store.db, store.documents);
    const count = (status = '%') =>
      store.db.prepare('SELECT count(*) FROM learning WHERE status LIKE ?').pluck().get(status);
    expect(count()).toBe(before);
    const merged = await resumeMerge(partsOf(store), silent);
    expect(count()).toBe(29);
    expect(await rescan(store)).toBe(0);
    expect(readdirSync(store.paths.staging)).toEqual([]);
    expect(store.db.pragma('foreign_key_check')).toEqual([]);
    expect(store.db.prepare('SELECT count(*) FROM slot').pluck().get()).toBe(2);
    expect(await resumeMerge(partsOf(store), silent)).toBeNull();
    const archived = count('archived');
    undo(store, merged?.changeId ?? undefined, 'person');
    expect(count('archived')).toBe(26 + Number(archived));
  },
);
