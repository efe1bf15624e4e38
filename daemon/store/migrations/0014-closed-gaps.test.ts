import { expect, test } from 'vitest';
import { closeGap, listGaps } from '../learnings/questions.ts';
import { storeAt } from './testing.ts';

test('what was closed in a store of version 13 stays closed, what was opened or asked again stays open', () => {
  const { db, upgrade } = storeAt(13);
  const ask = db.prepare(
    `INSERT INTO gap (at, query, normalized, project, session) VALUES (?, ?, ?, 'acme/shop', 's')`,
  );
  for (const [at, query] of [
    [1, 'closed'],
    [2, 'closed'],
    [3, 'opened again'],
    [4, 'asked again'],
    [9, 'asked again'],
    [5, 'never closed'],
  ] as const)
    ask.run(at, `How is it ${query}?`, query);
  db.exec(`
    INSERT INTO meta (key, value) VALUES ('gap-closed:acme/shop closed', '2'), ('gap-closed:acme/shop opened again', '-1'),
      ('gap-closed:acme/shop asked again', '4'), ('gap-closed:other/project never closed', '9')
  `);
  upgrade();
  const shown = () => listGaps(db).map(({ query, times }) => [query, times]);
  expect(shown()).toEqual([
    ['How is it asked again?', 2],
    ['How is it never closed?', 1],
    ['How is it opened again?', 1],
  ]);
  expect(db.prepare('SELECT key FROM meta').pluck().all()).toEqual(['untouched']);
  closeGap(db, { query: 'How is it closed?', project: 'acme/shop' }, false);
  expect(shown()).toContainEqual(['How is it closed?', 2]);
});
