import { expect, test } from 'vitest';
import { proof as prove } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { proof } from './proof.ts';

const words = { RECALL_VECTOR_ARM: false };
const once = { title: 'Seed the random generator in tests, a', scope: 'global' as const };
const often = {
  title: 'Seed the random generator in tests, b',
  scope: 'global' as const,
  signals: { proofCount: 12 },
};

// S4: proven twelve times beats said once.
prove(proof, 'prefers what was met again and again', {
  given: [once, often],
  ask: { query: 'seed random generator', knobs: words },
  off: [once.title, often.title],
  on: [often.title, once.title],
});

test('S4: the count is part of what is recalled, and a weight of 0 switches its influence off', async () => {
  const { recall } = await world([once, often]);
  const { hits } = await recall({
    query: 'seed random generator',
    knobs: { ...words, RECALL_PROOF_ALPHA: 0 },
  });
  expect(hits.map(({ learning }) => [learning.title, learning.signals.proofCount])).toEqual([
    [once.title, 1],
    [often.title, 12],
  ]);
});
