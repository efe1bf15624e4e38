import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { addLearning } from './learnings/write.ts';
import { Note } from '#contract/entities.ts';
import { tempStore } from '../testing/temp-home.ts';
import { backUpNow, describeBackups } from './backups.ts';

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
