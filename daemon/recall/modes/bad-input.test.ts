import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Input, Method } from '#contract/methods.ts';
import { runDaemon } from '../../testing/running-daemon.ts';

const note = { title: 'Feed the cat at noon', tags: ['cat'], scope: 'global' as const };

/** Each is refused with a reason a person can act on, and the daemon answers on. */
const REFUSED: Array<[Method, object, string, RegExp]> = [
  ['recall.search', { query: '' }, 'bad-input', /query/],
  ['recall.search', { query: '   ' }, 'bad-input', /query/],
  ['recall.search', { query: 'x'.repeat(100_000) }, 'bad-input', /query: .*4000/],
  ['recall.index', { query: 'x'.repeat(100_000) }, 'bad-input', /query/],
  ['recall.timeline', { anchor: 'x'.repeat(100_000) }, 'bad-input', /anchor/],
  ['recall.search', { query: 'cat', field: 'colour' }, 'bad-input', /no field "colour"; there are .*rule/],
  ['recall.index', { query: 'cat', field: '' }, 'bad-input', /field/],
  ['recall.hydrate', { ids: ['lrn-cat'], field: 'colour' }, 'bad-input', /no field/],
  ['recall.hydrate', { ids: [] }, 'bad-input', /ids/],
  ['recall.search', { query: 'cat', limit: 0 }, 'bad-input', /limit/],
  ['recall.index', { query: 'cat', limit: 1e9 }, 'bad-input', /limit/],
  ['recall.timeline', { anchor: 'cat', before: -1 }, 'bad-input', /before/],
  [
    'recall.search',
    { query: 'cat', knobs: { RECALL_MMR_LAMBDA: Number.NaN } },
    'bad-knob',
    /RECALL_MMR_LAMBDA takes a number from 0 to 1/,
  ],
  ['recall.search', { query: 'cat', knobs: { RECALL_MMR_LAMBDA: 'NaN' } }, 'bad-knob', /RECALL_MMR_LAMBDA/],
  [
    'recall.search',
    { query: 'cat', knobs: { REFLECT_RECALL_MIN_OVERLAP: -1 } },
    'bad-knob',
    /REFLECT_RECALL_MIN_OVERLAP/,
  ],
  [
    'recall.index',
    { query: 'cat', knobs: { REFLECT_INDEX_ROW_TOKENS: -100 } },
    'bad-knob',
    /REFLECT_INDEX_ROW_TOKENS takes a whole number from 50/,
  ],
  ['recall.index', { query: 'cat', knobs: { NO_SUCH: 1 } }, 'bad-knob', /NO_SUCH/],
  ['recall.search', { query: 'cat', since: 'whenever' }, 'bad-input', /since does not understand "whenever"/],
  [
    'recall.search',
    { query: 'cat', since: '2026-03-02', until: '2026-03-01' },
    'bad-input',
    /later than until/,
  ],
  ['recall.search', { query: 'cat', corpus: 'nope' }, 'not-found', /no corpus "nope"/],
  ['corpus.query', { name: '../../etc', query: 'cat' }, 'bad-input', /leads out/],
  ['corpus.build', { name: '..' }, 'bad-input', /leads out/],
  ['corpus.build', { name: '' }, 'bad-input', /is empty/],
  ['corpus.build', { name: 'n'.repeat(65) }, 'bad-input', /more than 64/],
  ['corpus.build', { name: 'cats', filter: { until: 'someday' } }, 'bad-input', /until does not understand/],
  ['corpus.build', { name: 'cats', filter: { colour: 'red' } }, 'bad-input', /filter/],
  ['corpus.rebuild', { name: 'nope' }, 'not-found', /no corpus/],
  ['corpus.drop', { name: 'nope' }, 'not-found', /no corpus/],
  ['corpus.prime', { name: 'nope', maxTokens: 0 }, 'bad-input', /maxTokens/],
];

test('what cannot be answered is refused with its reason, and nothing falls over', async () => {
  const { call } = await runDaemon();
  await call('learnings.create', { note });
  for (const [method, input, code, detail] of REFUSED) {
    // The input is wrong on purpose, so no type of the contract fits it.
    await expect(
      call(method, input as Input<typeof method>),
      `${method} ${JSON.stringify(input).slice(0, 80)}`,
    ).rejects.toMatchObject({ code, detail: expect.stringMatching(detail) as string });
  }
  expect((await call('recall.search', { query: 'cat' })).hits).toHaveLength(1);
});

test('what is merely unknown gets an honest empty', async () => {
  const { call } = await runDaemon();
  await call('learnings.create', { note: { ...note, scope: 'project', project: 'github.com/acme/pets' } });
  expect((await call('recall.search', { query: 'cat', project: 'no/such/project' })).hits).toEqual([]);
  expect((await call('recall.index', { query: 'cat', cwd: '/no/such/folder' })).rows).toEqual([]);
  expect(await call('recall.timeline', { anchor: 'lrn-nobody-000000' })).toEqual({ rows: [], tokens: 0 });
  expect(
    (await call('recall.hydrate', { ids: ['lrn-nobody-000000', '../../etc/passwd', '%'] })).learnings.map(
      ({ found }) => found,
    ),
  ).toEqual([false, false, false]);
  expect(await call('corpus.build', { name: 'none', filter: { tags: ['unheard-of'] } })).toMatchObject({
    learnings: 0,
  });
  expect((await call('corpus.query', { name: 'none', query: 'cat' })).hits).toEqual([]);
  expect((await call('corpus.prime', { name: 'none' })).text).toContain('There are none.');
});

test('a corpus through the contract: built with phrases of time, asked, renewed and dropped', async () => {
  const { call, home } = await runDaemon();
  await call('learnings.create', { note });
  await call('learnings.create', { note: { title: 'Feed the dog at dawn', scope: 'global' } });
  const built = await call('corpus.build', {
    name: 'my/cats',
    filter: { tags: ['cat'], since: 'yesterday' },
  });
  expect(built).toMatchObject({
    learnings: 1,
    stale: false,
    filter: { since: expect.any(Number) as number },
  });
  expect(existsSync(built.file) && built.file.startsWith(join(home, 'corpora'))).toBe(true);
  expect((await call('corpus.query', { name: 'my/cats', query: 'feed', field: 'title' })).hits).toMatchObject(
    [{ value: note.title }],
  );
  expect((await call('recall.search', { query: 'feed', corpus: 'my/cats' })).hits).toHaveLength(1);
  await call('learnings.create', { note: { ...note, title: 'Feed the cat fish' } });
  expect((await call('corpus.query', { name: 'my/cats', query: 'feed' })).notices.join()).toContain(
    'corpus rebuild',
  );
  expect(await call('corpus.rebuild', { name: 'my/cats' })).toMatchObject({
    added: [expect.any(String) as string],
    removed: [],
  });
  expect(await call('corpus.drop', { name: 'my/cats' })).toEqual({ ok: true });
  expect(await call('corpus.list', {})).toEqual([]);
});
