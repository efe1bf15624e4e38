import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Note, type NoteInput } from '#contract/entities.ts';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { addLearning, changeLearning } from '../../store/learnings/write.ts';
import { listGaps } from '../../store/learnings/questions.ts';
import { needs } from '../../testing/needs.ts';
import { DAY } from '../../platform/time.ts';
import { type Given, NOW, type World, world } from '../../testing/world.ts';
import { answer } from '../recall.ts';
import {
  buildCorpus,
  corpora,
  type CorpusParts,
  corpusScope,
  dropCorpus,
  primeCorpus,
  rebuildCorpus,
  safeName,
} from './corpora.ts';

const words = { RECALL_VECTOR_ARM: false };
const api = 'github.com/acme/api';
const notes: Given[] = [
  {
    title: 'Sign webhooks with the shared secret',
    tags: ['security'],
    category: 'Security',
    project: api,
    daysAgo: 40,
  },
  {
    title: 'Rotate the webhook secret each quarter',
    tags: ['ops', 'security'],
    category: 'Process',
    project: api,
    daysAgo: 10,
  },
  {
    title: 'Webhook retries back off for an hour',
    tags: ['ops'],
    category: 'Process',
    project: 'github.com/acme/web',
    daysAgo: 5,
  },
  {
    title: 'Webhook payloads are versioned',
    tags: ['design'],
    category: 'Architecture',
    scope: 'global',
    daysAgo: 1,
  },
  { title: 'Webhook of the old shop', tags: ['security'], status: 'archived', project: api },
];

async function there(given = notes): Promise<World & { corpus: CorpusParts }> {
  const made = await world(given);
  return {
    ...made,
    corpus: { db: made.store.db, folder: join(dirname(made.store.documents), 'corpora'), now: () => NOW },
  };
}

const add = ({ store }: World, note: NoteInput) =>
  addLearning(store, Note.parse(note), { actor: 'test', kind: 'create', reason: '' }).learning;
const query = async (
  { parts, corpus }: World & { corpus: CorpusParts },
  name: string,
  text: string,
  more: object = {},
) =>
  (
    await answer(parts, { query: text, knobs: words, only: corpusScope(corpus, name).only, ...more })
  ).hits.map(({ learning }) => learning.title);

test('M7: the filter chooses exactly the live learnings that fit: any of the tags, and all of the rest', async () => {
  const { corpus } = await there();
  const size = (filter: Parameters<typeof buildCorpus>[2]) => buildCorpus(corpus, 'c', filter).learnings;
  expect(size({ tags: ['security'] })).toBe(2);
  expect(size({ tags: ['security', 'ops'] })).toBe(3);
  expect(size({ tags: ['ops'], project: api })).toBe(1);
  expect(size({ category: 'process' })).toBe(2);
  expect(size({ since: NOW - 20 * DAY })).toBe(3);
  expect(size({ since: NOW - 20 * DAY, until: NOW - 4 * DAY })).toBe(2);
  expect(size({})).toBe(4);
  expect(size({ tags: ['nobody'] })).toBe(0);
});

test('M7: a question to a corpus sees its learnings alone, from wherever it is asked; without the corpus it sees all', async () => {
  const world = await there();
  buildCorpus(world.corpus, 'security', { tags: ['security'] });
  const pinned = await query(world, 'security', 'webhook');
  expect(pinned.toSorted()).toEqual([
    'Rotate the webhook secret each quarter',
    'Sign webhooks with the shared secret',
  ]);
  expect(await query(world, 'security', 'webhook', { cwd: '/' })).toEqual(pinned);
  expect(await query(world, 'security', 'payloads versioned')).toEqual([]);
  expect(listGaps(world.store.db)).toEqual([]); // the knowledge base has it, only the corpus has not
  expect(await query(world, 'security', 'webhook')).toEqual(pinned);
  expect(await world.titles({ query: 'webhook', global: true, knobs: words })).toHaveLength(4);
});

test('M7: its learnings are found however many others fit better', async () => {
  const crowd = Array.from({ length: 110 }, (_, number) => ({
    title: `Webhook webhook webhook ${number}`,
    scope: 'global' as const,
  }));
  const world = await there([
    ...crowd,
    {
      title: 'A long story in which some webhook is named once, at its end',
      tags: ['rare'],
      scope: 'global',
      daysAgo: 300,
    },
  ]);
  buildCorpus(world.corpus, 'rare', { tags: ['rare'] });
  expect(await world.titles({ query: 'webhook', limit: 100, knobs: words })).not.toContain(
    'A long story in which some webhook is named once, at its end',
  );
  expect(await query(world, 'rare', 'webhook')).toHaveLength(1);
  buildCorpus(world.corpus, 'all', {});
  expect(
    (await query(world, 'all', 'webhook', { limit: 100, knobs: { ...words, RECALL_BM25_DEPTH: 200 } }))
      .length,
  ).toBe(100);
});

test('M7: neither the graph nor a time in the question leads out of the corpus', async () => {
  const entities = [{ name: 'webhook', type: 'concept' as const }];
  const world = await there(
    notes.map((note) => ({
      ...note,
      entities,
      relations: [{ source: 'webhook', target: 'secret', type: 'uses' as const }],
    })),
  );
  buildCorpus(world.corpus, 'ops', { tags: ['ops'] });
  const asked = 'what did we learn about the webhook in the last 20 days';
  const all = await world.recall({ query: asked, global: true, knobs: words });
  expect(all.hits.map(({ learning }) => learning.title)).toContain('Webhook payloads are versioned');
  expect((await query(world, 'ops', asked)).toSorted()).toEqual([
    'Rotate the webhook secret each quarter',
    'Webhook retries back off for an hour',
  ]);
});

test('M7: the snapshot is on disk, for its owner alone, and names the members', async () => {
  const { corpus } = await there();
  const { file } = buildCorpus(corpus, 'security', { tags: ['security'] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    name: 'security',
    filter: { tags: ['security'] },
    builtAt: '2026-06-15T12:00:00.000Z',
    entries: [
      { title: 'Sign webhooks with the shared secret' },
      { title: 'Rotate the webhook secret each quarter' },
    ],
  });
  expect(statSync(file).mode & 0o077).toBe(0);
  dropCorpus(corpus, 'security');
  expect([existsSync(file), corpora(corpus)]).toEqual([false, []]);
});

test('M7: a write to the knowledge base makes a corpus stale; a rebuild adds what is new and drops what is gone', async () => {
  const world = await there();
  buildCorpus(world.corpus, 'security', { tags: ['security'] });
  expect(corpora(world.corpus)).toMatchObject([{ name: 'security', stale: false, learnings: 2 }]);
  const fresh = add(world, {
    title: 'Pin the certificate of the webhook host',
    tags: ['security'],
    project: api,
  });
  const [, gone] = world.learnings;
  changeLearning(
    world.store,
    gone?.id ?? '',
    { status: 'archived' },
    { actor: 'test', kind: 'archive', reason: '' },
  );
  expect(corpora(world.corpus)).toMatchObject([{ stale: true, learnings: 2 }]);
  expect(corpusScope(world.corpus, 'security').notices).toHaveLength(1);
  expect(await query(world, 'security', 'webhook')).toEqual(['Sign webhooks with the shared secret']); // what is retired is gone at once, what is new waits

  expect(rebuildCorpus(world.corpus, 'security')).toMatchObject({
    added: [fresh.id],
    removed: [gone?.id],
    corpus: { stale: false, learnings: 2 },
  });
  expect((await query(world, 'security', 'webhook')).toSorted()).toEqual([
    'Pin the certificate of the webhook host',
    'Sign webhooks with the shared secret',
  ]);
});

test('M7: an answer remembered for one corpus is not given for another', async () => {
  const world = await there();
  buildCorpus(world.corpus, 'security', { tags: ['security'] });
  buildCorpus(world.corpus, 'design', { tags: ['design'] });
  expect(await query(world, 'security', 'webhook secret payloads')).toHaveLength(2);
  expect(await query(world, 'design', 'webhook secret payloads')).toEqual(['Webhook payloads are versioned']);
});

test('M7: the prime document holds the members and the instruction, and says what it leaves out', async () => {
  const { corpus } = await there();
  buildCorpus(corpus, 'security', { tags: ['security'] });
  const { text, learnings } = primeCorpus(corpus, 'security');
  expect(text).toContain('Answer questions using ONLY the learnings below.');
  expect([
    learnings,
    text.includes('Sign webhooks'),
    text.includes('Rotate the webhook'),
    text.includes('versioned'),
  ]).toEqual([2, true, true, false]);
  expect(primeCorpus(corpus, 'security', 60)).toMatchObject({
    learnings: 1,
    text: expect.stringContaining('(1 more did not fit.)') as string,
  });
});

test('M7: no name leads out of the folder, and names that would share a file do not', async () => {
  const { corpus } = await there();
  for (const name of [
    'a/b',
    '..\\..',
    'a-b',
    'A-B',
    '~root',
    'con',
    'ünïcode',
    'x\u0000y',
    '.hidden',
    '/etc/passwd',
  ]) {
    if (name === '..\\..') expect(() => buildCorpus(corpus, name, {})).toThrow('leads out');
    else expect(dirname(buildCorpus(corpus, name, {}).file)).toBe(corpus.folder);
  }
  expect(readdirSync(corpus.folder)).toHaveLength(9);
  expect(safeName('a/b')).toMatch(/^a-b-[0-9a-f]{6}$/);
  expect(safeName('plain-name_1.2')).toBe('plain-name_1.2');
  for (const name of ['', '   ', '..', '../x', 'x/../../y', 'n'.repeat(65)])
    expect(() => buildCorpus(corpus, name, {})).toThrow(/name of the corpus/);
});

test('M7: a corpus nobody built is named as such, with those there are', async () => {
  const { corpus } = await there();
  expect(() => corpusScope(corpus, 'nope')).toThrow(/reflect corpus build/);
  buildCorpus(corpus, 'security', {});
  for (const ask of [corpusScope, rebuildCorpus, dropCorpus, primeCorpus])
    expect(() => ask(corpus, 'nope')).toThrow(/there are security/);
});

describe('by meaning', () => {
  needs(NO_WEIGHTS);

  test('M7: the vectors too are searched among the members alone', async () => {
    const world = await there([
      ...Array.from({ length: 80 }, (_, number) => ({
        title: `Authenticate callers, case ${number}`,
        scope: 'global' as const,
      })),
      { title: 'Water the plants', tags: ['home'], scope: 'global' as const },
    ]);
    buildCorpus(world.corpus, 'home', { tags: ['home'] });
    expect(
      await query(world, 'home', 'how do I check who is calling', {
        knobs: { RECALL_BM25_ARM: false, REFLECT_RECALL_MIN_OVERLAP: 0 },
      }),
    ).toEqual(['Water the plants']);
  });
});
