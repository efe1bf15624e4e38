import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../store/connection.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { searchByWords } from '../store/search/words.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { importArchive } from './import.ts';
import { checkInThread, replaceInThread, withCheckpoints } from './in-thread.ts';
import { archivePath, partsOf, silent } from './testing.ts';

test('a replacement in a thread is seen by searches that remember the notes from before', async () => {
  const donor = tempStore();
  given(donor, { title: 'Use pnpm', project: 'p' });
  const path = archivePath();
  await exportArchive(partsOf(donor), path, { replace: false, report: silent });

  const store = tempStore();
  const { learning } = given(store, { title: 'Use yarn', project: 'p' });
  expect(searchByWords(store.db, 'yarn', null, 5)).toHaveLength(1);
  const heard: string[] = [];
  store.db.changes.subscribe(
    (changes) => void heard.push(...changes.map(({ type }) => type)),
    () => {},
  );
  const parts = { ...partsOf(store), check: checkInThread, replace: replaceInThread };
  const { backup } = await importArchive(parts, path, 'force', silent);
  expect(findLearning(store.db, learning.id)).toBeNull();
  expect(searchByWords(store.db, 'yarn', null, 5)).toEqual([]);
  expect(searchByWords(store.db, 'pnpm', null, 5)).toHaveLength(1);
  expect(heard).toContain('knowledge.replaced');
  expect(store.db.pragma('busy_timeout', { simple: true })).toBe(5_000);

  await importArchive(parts, backup ?? '', 'force', silent);
  expect(searchByWords(store.db, 'yarn', null, 5)).toHaveLength(1);
});

test('a thread copies all of the write-ahead log, so that no later writer has to', async () => {
  const store = tempStore();
  await withCheckpoints(store.db, () => {
    for (let note = 0; note < 50; note++) given(store, { title: `Note ${note}`, project: 'p' });
    return Promise.resolve();
  });
  const withoutLog = join(store.paths.home, 'without-log.db');
  copyFileSync(store.paths.database, withoutLog);
  const copied = connect(withoutLog);
  expect(copied.prepare('SELECT count(*) FROM learning').pluck().get()).toBe(50);
  copied.close();
  expect(store.db.pragma('wal_autocheckpoint', { simple: true })).toBe(1_000);
});
