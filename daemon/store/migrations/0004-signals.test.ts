import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { readPositions, sweptFiles } from '../capture/transcripts.ts';
import { MIGRATIONS } from './index.ts';

test('positions of version 3 are kept, and no file of theirs counts as swept', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 3));
  db.exec(
    `INSERT INTO transcript (agent, path, fingerprint, position, size) VALUES ('claude-code', '/a.jsonl', '10:x', 7, 9)`,
  );
  migrate(db, null, MIGRATIONS.slice(0, 4));
  expect(db.pragma('user_version', { simple: true })).toBe(4);
  expect(readPositions(db)).toMatchObject([{ path: '/a.jsonl', position: 7, size: 9 }]);
  expect(sweptFiles(db)).toEqual({});
});
