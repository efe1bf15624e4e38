import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { addLearning } from './learnings/write.ts';
import { Note } from '#contract/entities.ts';
import { tempStore } from '../testing/temp-home.ts';
import { backUpDaily, backUpNow, describeBackups, isBackupDue, soundBackups } from './backups.ts';

test('a backup that is asked for while the daily one is made is whole, and so is the daily one', async () => {
  const store = tempStore();
  const { backups } = store.paths;
  addLearning(store, Note.parse({ title: 'Use pnpm' }), { actor: 'person', kind: 'create', reason: '' });
  const now = store.now();
  const made = await Promise.all(
    ['daily', 'asked', 'daily'].map((label, index) => backUpNow(store.db, backups, label, now + index)),
  );
  expect(describeBackups(backups, now).map(({ name, learnings }) => [name, learnings])).toEqual(
    made.toReversed().map((file) => [basename(file), 1]),
  );
  expect(readdirSync(backups).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('an unfinished backup of a daemon that died is removed after a day', async () => {
  const store = tempStore();
  const { backups } = store.paths;
  const file = await backUpNow(store.db, backups, 'daily', store.now());
  writeFileSync(join(backups, 'unfinished.tmp'), '');
  const asked = await backUpNow(store.db, backups, 'asked', store.now() + 1);
  expect(readdirSync(backups)).toEqual([basename(file), basename(asked)].toSorted());
});

test('a look into a backup leaves no files beside it', async () => {
  const store = tempStore();
  const { backups } = store.paths;
  const file = await backUpNow(store.db, backups, 'daily', store.now());
  expect(describeBackups(backups, store.now())).toMatchObject([{ isReadable: true }]);
  expect(soundBackups(backups, store.now())).toEqual([file]);
  expect(readdirSync(backups)).toEqual([basename(file)]);
});

test('after a restore another backup is due at once, so that damage does not bring back the state before it', async () => {
  const store = tempStore();
  const { backups } = store.paths;
  const now = store.now();
  await backUpNow(store.db, backups, 'daily', now);
  expect(isBackupDue(backups, now + 1)).toBe(false);
  await backUpNow(store.db, backups, 'before-restore', now + 1);
  const restored = await backUpDaily(store.db, backups, now + 2);
  expect(soundBackups(backups, now + 2)[0]).toBe(restored);
  expect(isBackupDue(backups, now + 3)).toBe(false);
});
