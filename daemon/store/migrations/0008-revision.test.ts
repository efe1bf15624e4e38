import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { historyOf } from '../learnings/history.ts';
import { countUnexamined } from '../learnings/unexamined.ts';
import { storeAt } from './testing.ts';

test('changes and questions of version 7 are kept; what is live waits to be compared, what is retired does not', () => {
  const { db, upgrade } = storeAt(7);
  db.exec(`INSERT INTO shard (id, project, branch) VALUES (1, 'p', '')`);
  for (const [id, status] of [
    ['lrn-live', 'active'],
    ['lrn-gone', 'archived'],
  ] as const) {
    const note = JSON.stringify(Note.parse({ title: id, status }));
    db.prepare(
      `INSERT INTO learning (id, shard, created_at, updated_at, document_path, document_hash, note) VALUES (?, 1, 1, 1, ?, '', ?)`,
    ).run(id, `${id}.md`, note);
    db.prepare(
      `INSERT INTO change (at, actor, kind, learning_id, reason, fields, after) VALUES (1, 'a', 'create', ?, '', '[]', ?)`,
    ).run(id, note);
  }
  db.exec(
    `INSERT INTO merge_question (at, similarity, existing_id, incoming_id) VALUES (1, 0.9, 'lrn-live', 'lrn-gone')`,
  );
  upgrade();
  expect(countUnexamined(db)).toBe(1);
  expect(historyOf(db, 'lrn-live')).toMatchObject([
    { kind: 'create', source: '', proofCount: null, proofsAdded: 0, unit: null },
  ]);
  expect(db.prepare('SELECT kind, state FROM merge_question').all()).toEqual([
    { kind: 'twin', state: 'open' },
  ]);
});
