import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { chunksOfLearning } from '../learnings/lineage.ts';
import { enqueueMoment, settleMoment } from '../capture/moments.ts';
import { storeAt } from './testing.ts';

test('what version 4 knew of a learning and its windows becomes its lineage', () => {
  const { db, upgrade } = storeAt(4);
  db.exec(`INSERT INTO shard (id, project, branch) VALUES (1, 'p', '');`);
  db.prepare(
    `INSERT INTO learning (id, shard, created_at, updated_at, document_path, document_hash, note) VALUES ('lrn-a', 1, 1, 1, 'a.md', '', ?)`,
  ).run(JSON.stringify(Note.parse({ title: 'x' })));
  for (const [key, state] of [
    ['said', 'kept'],
    ['again', 'duplicate'],
    ['nothing', 'dismissed'],
  ] as const) {
    const window = {
      key,
      chunkHash: 'h',
      signal: 's',
      agent: 'a',
      session: 's',
      transcript: 't.jsonl',
      project: 'p',
      branch: null,
      at: 1,
      payload: '{"span":{"start":5,"end":9}}',
    };
    settleMoment(db, enqueueMoment(db, window, 0) ?? 0, state, 'lrn-a');
  }
  upgrade();
  expect(chunksOfLearning(db, 'lrn-a')).toMatchObject([
    { state: 'kept', spanStart: 5, spanEnd: 9 },
    { state: 'duplicate' },
  ]);
});
