import { expect } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

/** A store as a version left it, and its upgrade to the next, which keeps what it does not touch. */
export function storeAt(version: number) {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, version));
  db.exec(`INSERT INTO meta (key, value) VALUES ('untouched', 'yes')`);
  const upgrade = () => {
    migrate(db, null, MIGRATIONS.slice(0, version + 1));
    expect(db.pragma('user_version', { simple: true })).toBe(version + 1);
    expect(db.prepare(`SELECT value FROM meta WHERE key = 'untouched'`).pluck().get()).toBe('yes');
  };
  return { db, upgrade };
}
