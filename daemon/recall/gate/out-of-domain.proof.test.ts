import { describe, expect, test } from 'vitest';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { needs } from '../../testing/needs.ts';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { index } from '../modes/staged.ts';
import { outOfDomain } from './out-of-domain.ts';

const note = {
  title: 'Regenerate the clients after editing payments.proto',
  scope: 'global' as const,
  body: 'Run make proto-gen; the topic of the last outage.',
};

// R7: rather nothing than the least bad.
proof(outOfDomain, 'a question about something else gets nothing instead of the least bad', {
  given: [note],
  ask: { query: 'totally unrelated topic of gardening' },
  off: [note.title],
  on: [],
});

test('R7: a floor of 0 lets everything through', async () => {
  const { titles } = await world([note]);
  expect(
    await titles({ query: 'totally unrelated topic', knobs: { REFLECT_RECALL_MIN_OVERLAP: 0 } }),
  ).toEqual([note.title]);
});

test('R7: the gate says why it closed, with its figure', async () => {
  const { parts } = await world([note]);
  const { answer } = await import('../recall.ts');
  const { hits, trace = [] } = await answer(parts, { query: 'totally unrelated topic' }, { explain: true });
  expect(hits).toEqual([]);
  expect(trace.find(({ port }) => port === 'gate.out-of-domain')?.says).toMatch(
    /^closed: the best relevance to the question is only 0\.\d\d of 0\.3$/,
  );
});

test('R7: a hit that would not be returned alone is weak, is no use of its note, and is last in an index', async () => {
  const { store, parts, recall } = await world([
    { title: 'Clients wait', scope: 'global' },
    { title: 'Regenerate the stale grpc clients', scope: 'global' },
  ]);
  const asked = {
    query: 'regenerate stale grpc clients',
    knobs: { RECALL_VECTOR_ARM: false, RECALL_RRF: true, RECALL_ADAPTIVE_FUSION: false },
  };
  const { hits } = await recall(asked);
  expect(
    Object.fromEntries(hits.map(({ learning, relevance, weak }) => [learning.title, { relevance, weak }])),
  ).toEqual({
    'Regenerate the stale grpc clients': { relevance: 1, weak: undefined },
    'Clients wait': { relevance: 0.25, weak: true },
  });
  const recalls = (title: string) =>
    getLearning(store.db, hits.find(({ learning }) => learning.title === title)?.learning.id ?? '').signals
      .recallCount;
  expect(recalls('Regenerate the stale grpc clients')).toBe(1);
  expect(recalls('Clients wait')).toBe(0);
  const { rows } = await index(parts, asked);
  expect(rows.map(({ title, weak }) => [title, weak])).toEqual([
    ['Regenerate the stale grpc clients', undefined],
    ['Clients wait', true],
  ]);
});

test('R7: where each learning must bear on the question, one that is believed more needs to bear less', async () => {
  const { titles } = await world([
    { title: 'Regenerate the clients by hand', scope: 'global', confidence: 0.4 },
    { title: 'Regenerate the clients with make', scope: 'global', confidence: 0.8 },
  ]);
  const found = (least: number) =>
    titles({
      query: 'regenerate the stale grpc clients',
      knobs: { REFLECT_RECALL_MIN_EACH: least, RECALL_VECTOR_ARM: false },
    });
  expect(await found(0.3)).toHaveLength(2);
  expect(await found(0.53)).toEqual(['Regenerate the clients with make']);
  expect(await found(0.9)).toEqual([]);
});

describe('with the real embedders', () => {
  needs(NO_WEIGHTS);

  test('R7: a good answer in other words passes, which coverage of words alone would suppress', async () => {
    const { titles } = await world([note]);
    expect(await titles({ query: 'changed a protobuf file, now gRPC stubs are stale' })).toEqual([
      note.title,
    ]);
    expect(
      await titles({
        query: 'changed a protobuf file, now gRPC stubs are stale',
        knobs: { RECALL_VECTOR_ARM: false },
      }),
    ).toEqual([]);
  });

  const rules = [
    'Run the database migrations inside one transaction',
    'Use pnpm and never npm in this repository',
    'Feature flags are read from flags.yaml at start, not from the environment',
    'The nightly build fails when the cache is older than a week',
    'Name branches after the ticket',
  ];
  const services = ['billing', 'search', 'mail', 'login', 'export', 'audit', 'upload', 'quota'];
  const others = [
    ...rules,
    ...services.map((service) => `Restart the ${service} service after its settings change`),
    ...services.map((service) => `Logs of the ${service} service are kept for thirty days`),
  ].map((title) => ({ title, scope: 'global' as const }));

  test.each([1, 5, 20])(
    'R7: among %i learnings a fitting question is answered; a foreign one and gibberish get nothing',
    async (size) => {
      const { titles } = await world([note, ...others.slice(0, size - 1)]);
      const fitting = await titles({ query: 'changed a protobuf file, now gRPC stubs are stale' });
      expect(fitting[0]).toBe(note.title);
      for (const query of [
        'how do I bake sourdough bread',
        'who won the chess match',
        'asdf qwer zxcv',
        'lkjh fdsa',
      ])
        expect(await titles({ query }), query).toEqual([]);
    },
  );
});

test('R7: an answer says that the gate closed and what came nearest, which is no answer', async () => {
  const { recall, learnings } = await world([
    { title: 'Round totals half up in invoices', scope: 'global' },
    { title: 'Name branches after the ticket', scope: 'global' },
  ]);
  const knobs = { RECALL_VECTOR_ARM: false };
  const closed = await recall({ query: 'who pays invoices of the cafeteria basement', knobs });
  expect(closed).toMatchObject({
    hits: [],
    ood_gated: true,
    nearMisses: [{ id: learnings[0]?.id, title: 'Round totals half up in invoices', relevance: 0.25 }],
  });
  const open = await recall({ query: 'round invoices', knobs });
  expect(open).toMatchObject({ ood_gated: false, nearMisses: [] });
  expect(open.hits).toHaveLength(1);
  const off = await recall({ query: 'invoices of the cafeteria', knobs: { ...knobs, RECALL_GATE: false } });
  expect(off).toMatchObject({ ood_gated: false, nearMisses: [] });
});

test('R7: a knowledge base with nothing in it is no fault', async () => {
  const { titles } = await world([]);
  expect(await titles({ query: 'anything', knobs: { REFLECT_RECALL_MIN_OVERLAP: 0.9 } })).toEqual([]);
});
