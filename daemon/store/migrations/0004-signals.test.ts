import { expect, test } from 'vitest';
import { readPositions, sweptFiles } from '../capture/transcripts.ts';
import { storeAt } from './testing.ts';

test('positions of version 3 are kept, and no file of theirs counts as swept', () => {
  const { db, upgrade } = storeAt(3);
  db.exec(
    `INSERT INTO transcript (agent, path, fingerprint, position, size) VALUES ('claude-code', '/a.jsonl', '10:x', 7, 9)`,
  );
  upgrade();
  expect(readPositions(db)).toMatchObject([{ path: '/a.jsonl', position: 7, size: 9 }]);
  expect(sweptFiles(db)).toEqual({});
});
