import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { connect } from './connection.ts';
import type { WritableDb } from './db.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { foundations } from './migrations/0001-foundations.ts';
import { MIGRATIONS } from './migrations/index.ts';

const versionOf = (db: Pick<WritableDb, 'pragma'>) => db.pragma('user_version', { simple: true });
const tables = (db: WritableDb) =>
  db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();

const colour: Migration = {
  version: 2,
  up: (db) => db.exec(`ALTER TABLE meta ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'`),
};
const failing: Migration = {
  version: 2,
  up: (db) => {
    db.exec('CREATE TABLE half (x INTEGER) STRICT');
    throw new Error('in the middle');
  },
};
const straying: Migration = {
  version: 2,
  up: (db) =>
    db.exec(
      `CREATE TABLE parent (id TEXT PRIMARY KEY) STRICT; CREATE TABLE child (of TEXT REFERENCES parent(id)) STRICT; INSERT INTO child VALUES ('nobody');`,
    ),
};

function storeAtOne() {
  const folder = tempFolder();
  const backups = join(folder, 'backups');
  const db = connect(join(folder, 'reflect.db'));
  migrate(db, backups, [foundations]);
  db.prepare(`INSERT INTO meta (key, value) VALUES ('kept', 'yes')`).run();
  return { db, backups };
}

describe('migrating', () => {
  test('an empty store makes every table strict and sets its version, without a backup', () => {
    const folder = tempFolder();
    const db = connect(join(folder, 'reflect.db'));
    expect(versionOf(db)).toBe(0);
    migrate(db, join(folder, 'backups'), [foundations]);
    expect(versionOf(db)).toBe(1);
    const lax = (db.pragma('table_list') as Array<{ name: string; type: string; strict: number }>).filter(
      ({ name, type, strict }) => type === 'table' && !strict && !name.startsWith('sqlite_'),
    );
    expect(lax).toEqual([]);
    expect(tables(db)).toEqual(
      expect.arrayContaining([
        'learning',
        'change',
        'document_outbox',
        'stray_document',
        'capture_window',
        'merge_question',
        'slot',
      ]),
    );
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(readdirSync(folder)).not.toContain('backups');
  });

  test('a store with data is backed up first, readable by its owner only', () => {
    const { db, backups } = storeAtOne();
    migrate(db, backups, [foundations, colour]);
    expect(db.prepare('SELECT key, value, colour FROM meta').all()).toEqual([
      { key: 'kept', value: 'yes', colour: 'red' },
    ]);
    const [name = ''] = readdirSync(backups);
    expect(name).toMatch(/^reflect-.*-before-2\.db$/);
    expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600);
    const backup = new Database(join(backups, name), { readonly: true });
    expect([versionOf(backup), backup.prepare('SELECT * FROM meta').all()]).toEqual([
      1,
      [{ key: 'kept', value: 'yes' }],
    ]);
    backup.close();
  });

  test('twice changes nothing the second time', () => {
    const { db, backups } = storeAtOne();
    migrate(db, backups, [foundations, colour]);
    migrate(db, backups, [foundations, colour]);
    expect([versionOf(db), readdirSync(backups).length]).toEqual([2, 1]);
  });

  test('that fails half-way leaves the store as it was', () => {
    const { db, backups } = storeAtOne();
    expect(() => migrate(db, backups, [foundations, failing])).toThrow('in the middle');
    expect(versionOf(db)).toBe(1);
    expect(tables(db)).not.toContain('half');
    migrate(db, backups, [foundations, colour]);
    expect(versionOf(db)).toBe(2);
  });

  test('that leaves stray references is reported', () => {
    const { db, backups } = storeAtOne();
    db.pragma('foreign_keys = OFF');
    expect(() => migrate(db, backups, [foundations, straying])).toThrow(/unsound; the backup is untouched/);
  });

  test('a store from a newer Reflect is refused and not touched', () => {
    const { db, backups } = storeAtOne();
    db.pragma('user_version = 99');
    expect(() => migrate(db, backups)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: expect.stringMatching(/newer Reflect \(version 99/) as string,
      }) as Error,
    );
    expect(versionOf(db)).toBe(99);
  });

  test('the shipped list counts from one without a gap', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
    const db = connect(join(tempFolder(), 'reflect.db'));
    for (let to = 1; to <= MIGRATIONS.length; to++) migrate(db, null, MIGRATIONS.slice(0, to));
    expect(versionOf(db)).toBe(MIGRATIONS.length);
  });
});
