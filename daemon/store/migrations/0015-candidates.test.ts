import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { shardFor } from '../search/shards.ts';
import { storeAt } from './testing.ts';

test('shards of version 14 keep their numbers and hold learnings; candidates get shards of their own', () => {
  const { db, upgrade } = storeAt(14);
  db.exec(`INSERT INTO shard (id, project, branch) VALUES (3, 'acme/shop', ''), (7, 'acme/shop', 'feat/x')`);
  const note = Note.parse({ title: 'Use pnpm', project: 'acme/shop' });
  db.prepare(
    `INSERT INTO learning (id, shard, created_at, updated_at, document_path, document_hash, note) VALUES ('lrn-a', 3, 1, 1, 'a.md', '', ?)`,
  ).run(JSON.stringify(note));
  upgrade();
  expect(db.prepare('SELECT shard FROM learning').pluck().all()).toEqual([3]);
  expect(shardFor(db, note)).toBe(3);
  expect(shardFor(db, { ...note, branch: 'feat/x' })).toBe(7);
  expect(shardFor(db, { ...note, status: 'candidate' })).toBe(8);
});
