import { describe, expect, test } from 'vitest';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { addLearning, changeLearning } from '../../store/learnings/write.ts';
import { Note } from '#contract/entities.ts';
import { needs } from '../../testing/needs.ts';
import { type World, world } from '../../testing/world.ts';
import { answer } from '../recall.ts';

const debounce = {
  title: 'Debounce the search input by 250 ms and abort the request it replaces',
  scope: 'global' as const,
};
const words = { RECALL_VECTOR_ARM: false, RECALL_SEMANTIC_CACHE: 1 };

/** Asks, and tells what the cache said, whether anything was searched and what was answered. */
async function ask({ parts }: World, query: string, knobs: Record<string, unknown> = words) {
  const { hits, trace = [] } = await answer(parts, { query, knobs }, { explain: true });
  return {
    titles: hits.map(({ learning }) => learning.title),
    cache: trace.find(({ stage }) => stage === 'cache')?.says,
    searched: trace.some(({ stage }) => stage === 'arm'),
  };
}

test('R9: a question asked again is answered without searching; with the cache off it is searched again', async () => {
  const there = await world([debounce]);
  const first = await ask(there, 'how do I debounce search input');
  expect(first).toMatchObject({ searched: true, cache: 'not in the cache' });
  expect(await ask(there, 'how do I debounce search input')).toEqual({
    titles: first.titles,
    cache: 'answered from the cache',
    searched: false,
  });
  expect(await ask(there, 'how do I debounce search input', { ...words, RECALL_CACHE: false })).toMatchObject(
    { searched: true },
  );
});

test('R9: nearly the same words are the same question, only within the threshold', async () => {
  const there = await world([debounce]);
  await ask(there, 'debounce the search input field quickly please');
  expect(await ask(there, 'please debounce search input field quickly')).toMatchObject({
    searched: false,
    cache: 'asked before as "debounce the search input field quickly please"',
  });
  expect(await ask(there, 'debounce the resize handler quickly')).toMatchObject({ searched: true });
  expect(
    await ask(there, 'quickly debounce search input field, please now', {
      ...words,
      RECALL_FUZZY_CACHE: false,
    }),
  ).toMatchObject({ searched: true });
});

test('R9: after a write the answer is searched again', async () => {
  const there = await world([debounce]);
  await ask(there, 'debounce search input');
  const { learning } = addLearning(
    there.store,
    Note.parse({ title: 'Never debounce the search input of the admin page', scope: 'global' }),
    { actor: 'test', kind: 'create', reason: '' },
  );
  const after = await ask(there, 'debounce search input');
  expect(after.searched).toBe(true);
  expect(after.titles).toContain(learning.title);
  changeLearning(
    there.store,
    learning.id,
    { status: 'archived' },
    { actor: 'test', kind: 'archive', reason: '' },
  );
  expect((await ask(there, 'debounce search input')).titles).not.toContain(learning.title);
});

test('R9: another scope or another setting is another question', async () => {
  const there = await world([debounce]);
  await ask(there, 'debounce search input');
  const { trace = [] } = await answer(
    there.parts,
    { query: 'debounce search input', global: true, knobs: words },
    { explain: true },
  );
  expect(trace.some(({ stage }) => stage === 'arm')).toBe(true);
  expect(await ask(there, 'debounce search input', { ...words, RECALL_GRAPH_ARM: false })).toMatchObject({
    searched: true,
  });
});

test('R9: an answer older than an hour is not served', async () => {
  const there = await world([debounce]);
  await ask(there, 'debounce search input');
  const later = { ...there, parts: { ...there.parts, now: () => there.parts.now() + 3_601_000 } };
  expect(await ask(later, 'debounce search input')).toMatchObject({ searched: true });
});

test.each([
  ['run migrations before the deploy', 'run migrations after the deploy'],
  ['should I debounce the search input', 'should I not debounce the search input'],
])('R9: "%s" and "%s" share their words and are opposites: each is searched', async (one, other) => {
  const there = await world([debounce]);
  await ask(there, one);
  expect(await ask(there, other)).toMatchObject({ searched: true, cache: 'not in the cache' });
});

describe('by meaning', () => {
  needs(NO_WEIGHTS);
  const meaning = { RECALL_FUZZY_CACHE: false };

  test('R9: other words for the same question are answered from memory', async () => {
    const there = await world([debounce]);
    await ask(there, 'how do I enable debouncing of the search input', meaning);
    expect(await ask(there, 'how can I switch on debouncing for the search input', meaning)).toMatchObject({
      searched: false,
      cache: 'means the same as "how do I enable debouncing of the search input"',
    });
  });

  test.each(['how do I disable debouncing of the search input', 'how do I throttle database writes'])(
    'R9: "%s" is the opposite, or about something else, and is searched',
    async (other) => {
      const there = await world([debounce]);
      await ask(there, 'how do I enable debouncing of the search input', meaning);
      expect(await ask(there, other, meaning)).toMatchObject({ searched: true });
    },
  );
});
