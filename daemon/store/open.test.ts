import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rescan } from '../knowledge/testing.ts';
import { EDITED, given, tempFolder, type TempStore, tempStore } from '../testing/temp-home.ts';
import { backUp, backUpDaily, describeBackups } from './backups.ts';
import { historyOf } from './learnings/history.ts';
import { changeLearning } from './learnings/write.ts';
import { listLearnings } from './learnings/list.ts';
import { findLearning, getLearning } from './learnings/learnings.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { searchByWords } from './search/words.ts';
import { HOUR } from '../platform/time.ts';

const titles = (store: TempStore) =>
  listLearnings(store.db, { offset: 0, limit: 10 })
    .items.map(({ title }) => title)
    .toSorted();
const asides = (store: TempStore) =>
  readdirSync(store.paths.home).filter(
    (name) => /^reflect\.db\.damaged-[^.]*$/.test(name) && !/-(?:wal|shm)$/.test(name),
  );

function filled() {
  const store = tempStore();
  const first = given(store, { title: 'First', rule: 'Never jest.' }).learning;
  return { store, first, home: store.paths.home };
}

/** Overwrites part of the file; the first bytes say what it is, later ones hold pages. */
function damage(store: TempStore, from: number, length: number, stopped = true): void {
  store.db.pragma('wal_checkpoint(TRUNCATE)');
  if (stopped) store.close();
  const file = openSync(store.paths.database, 'r+');
  writeSync(file, Buffer.alloc(length, 0xab), 0, length, from);
  closeSync(file);
}

describe('a damaged database', () => {
  test('without a backup is set aside, replaced by an empty one, refilled from the notes, and reported', async () => {
    const { store, first, home } = filled();
    damage(store, 0, 4_096);
    const damaged = readFileSync(store.paths.database);
    const next = tempStore(home);
    expect(next.notices).toEqual([
      expect.stringMatching(
        /The database was damaged\. It is kept as .*reflect\.db\.damaged-.*started with an empty one and reads the notes again/,
      ),
    ]);
    const [aside = ''] = asides(next);
    expect(readFileSync(join(home, aside)).equals(damaged)).toBe(true);
    expect(findLearning(next.db, first.id)).toBeNull();
    expect(await rescan(next)).toBe(1);
    expect(getLearning(next.db, first.id)).toMatchObject({
      title: 'First',
      createdAt: first.createdAt,
      updatedAt: first.updatedAt,
    });
    expect(searchByWords(next.db, 'jest', null, 5)).toHaveLength(1);
    next.close();
    expect(tempStore(home).notices).toEqual([]);
  });

  test('is restored from the newest sound backup; newer notes come from their files, with history kept', async () => {
    const { store, first, home } = filled();
    backUp(store.db, store.paths.backups, 'old', 1_000);
    changeLearning(store, first.id, { rule: 'Never mocha.' }, EDITED);
    backUp(store.db, store.paths.backups, 'good', 2_000);
    given(store, { title: 'Second' });
    changeLearning(store, first.id, { rule: 'Never ava.' }, EDITED);
    writeFileSync(join(store.paths.backups, 'reflect-2999-01-01T00-00-00-000Z-bad.db'), 'no database');
    damage(store, 0, 100);
    const next = tempStore(home);
    expect(next.notices).toEqual([expect.stringMatching(/restored from the backup .*-good\.db/)]);
    expect(getLearning(next.db, first.id).rule).toBe('Never mocha.');
    await rescan(next);
    expect(titles(next)).toEqual(['First', 'Second']);
    expect(getLearning(next.db, first.id).rule).toBe('Never ava.');
    expect(historyOf(next.db, first.id).map(({ actor }) => actor)).toEqual(['hand', 'test', 'test']);
  });

  test('is noticed at the start after a crash even when the damage is in the middle', async () => {
    const { store, home } = filled();
    for (let note = 0; note < 40; note++) given(store, { title: `Note ${note}`, body: 'text '.repeat(500) });
    damage(store, 4_096 * 40, 4_096 * 10, false);
    const next = tempStore(home);
    expect(next.notices).toHaveLength(1);
    await rescan(next);
    expect(listLearnings(next.db, { offset: 0, limit: 1 }).total).toBe(41);
  });

  test('that is truncated or not a database is treated alike', async () => {
    for (const content of [
      'this is no database at all, but long enough to have a header of a hundred bytes, as a text may well be, see?',
      'SQLite format 3\0cut',
    ]) {
      const { store, home } = filled();
      store.close();
      writeFileSync(store.paths.database, content);
      const next = tempStore(home);
      expect(next.notices).toHaveLength(1);
      expect(await rescan(next)).toBe(1);
    }
  });
});

describe('opening', () => {
  test('an empty home gets a store whose files only the owner can read', () => {
    const home = join(tempFolder(), 'home');
    const store = tempStore(home);
    given(store, { title: 'First' });
    backUp(store.db, store.paths.backups, 'x');
    const entries = readdirSync(home, { recursive: true, withFileTypes: true });
    expect(entries.length).toBeGreaterThan(6);
    for (const entry of entries)
      expect([entry.name, (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8)]).toEqual([
        entry.name,
        entry.isDirectory() ? '700' : '600',
      ]);
    expect((statSync(home).mode & 0o777).toString(8)).toBe('700');
  });

  test('a store that cannot be opened for another reason is an error, and nothing is set aside', () => {
    const { home } = filled();
    writeFileSync(join(home, 'blocked'), '');
    expect(() => tempStore(join(home, 'blocked'))).toThrow(/ENOTDIR|EEXIST/);
    expect(readdirSync(home).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});

describe('daily backups', () => {
  test('are made once a day, are complete, and the newest five are kept', async () => {
    const { store } = filled();
    const {
      db,
      paths: { backups },
    } = store;
    const day = Date.UTC(2026, 0, 1, 12);
    expect(await backUpDaily(db, backups, day)).toMatch(/reflect-2026-01-01T12-00-00-000Z-daily\.db$/);
    expect(await backUpDaily(db, backups, day + 23 * HOUR)).toBeNull();
    for (let days = 1; days <= 7; days++) {
      describeBackups(backups, day);
      await backUpDaily(db, backups, day + days * 24 * HOUR);
    }
    expect(readdirSync(backups).toSorted()).toEqual(
      ['04', '05', '06', '07', '08'].map((date) => `reflect-2026-01-${date}T12-00-00-000Z-daily.db`),
    );
    for (const name of readdirSync(backups)) expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600);
    damage(store, 0, 100);
    const next = tempStore(store.paths.home);
    expect(next.notices[0]).toContain('reflect-2026-01-08');
    expect(titles(next)).toEqual(['First']);
  });

  test('go on although a clock that was wrong dated one in the future, which is not taken for the newest', async () => {
    const { store } = filled();
    const { db, paths } = store;
    const today = Date.UTC(2026, 0, 1, 12);
    await backUpDaily(db, paths.backups, Date.UTC(2031, 0, 1));
    given(store, { title: 'Second' });
    expect(await backUpDaily(db, paths.backups, today)).toContain('2026-01-01');
    for (let days = 1; days <= 7; days++) await backUpDaily(db, paths.backups, today + days * 24 * HOUR);
    expect(readdirSync(paths.backups).filter((name) => name.includes('2031'))).toEqual([]);
  });
});

test('a migration that fails at every start pushes no other backup out', async () => {
  const { store } = filled();
  const { db, paths } = store;
  const today = Date.UTC(2026, 0, 1, 12);
  for (let days = 0; days < 4; days++) await backUpDaily(db, paths.backups, today + days * 24 * HOUR);
  const failing = {
    version: MIGRATIONS.length + 1,
    up: () => {
      throw new Error('no');
    },
  };
  for (let start = 0; start < 6; start++)
    expect(() => migrate(db, paths.backups, [...MIGRATIONS, failing])).toThrow('no');
  const labels = readdirSync(paths.backups)
    .map((name) => name.replace(/.*Z-/, ''))
    .toSorted();
  expect(labels).toEqual([`before-${failing.version}.db`, ...Array<string>(4).fill('daily.db')]);
});
