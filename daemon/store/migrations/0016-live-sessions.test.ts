import { expect, test } from 'vitest';
import { lastLiveSession, recordLiveSession } from '../capture/sessions.ts';
import { storeAt } from './testing.ts';

test('a store of version 15 gets its live sessions from the next hook on', () => {
  const { db, upgrade } = storeAt(15);
  upgrade();
  expect(lastLiveSession(db, 'acme/shop', 0)).toBeNull();
  recordLiveSession(db, { session: 's1', agent: 'codex', project: 'acme/shop', at: 5 }, () => true);
  expect(lastLiveSession(db, 'acme/shop', 0)).toMatchObject({ session: 's1', agent: 'codex' });
});
