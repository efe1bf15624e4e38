import { expect, test } from 'vitest';
import { lastLiveSession, seeSession } from '../capture/live-sessions.ts';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

test('a store of version 15 gets its live sessions from the next hook on', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 15));
  migrate(db, null, MIGRATIONS.slice(0, 16));
  expect(db.pragma('user_version', { simple: true })).toBe(16);
  expect(lastLiveSession(db, 'acme/shop', 0)).toBeNull();
  seeSession(db, { session: 's1', agent: 'codex', project: 'acme/shop', at: 5 }, () => true);
  expect(lastLiveSession(db, 'acme/shop', 0)).toMatchObject({ session: 's1', agent: 'codex' });
});
