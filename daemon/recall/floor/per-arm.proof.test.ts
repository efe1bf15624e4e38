import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { perArm } from './per-arm.ts';

const strong = { title: 'Deploy canary hosts before the rest', scope: 'global' as const };
const weak = { title: 'Canary is also the name of a mail server', scope: 'global' as const };
const words = { RECALL_VECTOR_ARM: false };

// R12: one arm's floor drops that arm's weak find and nothing else.
proof(perArm, 'a weak find of one arm is dropped by that arm’s floor', {
  given: [strong, weak],
  ask: { query: 'deploy canary hosts first', knobs: { ...words, RECALL_ARM_BM25_MIN_SCORE: 0.5 } },
  off: [strong.title, weak.title],
  on: [strong.title],
});

test('R12: what another arm still brings stays', async () => {
  const named = { ...weak, entities: [{ name: 'canary', type: 'concept' as const }] };
  const { titles } = await world([strong, named]);
  expect(
    await titles({ query: 'deploy canary hosts first', knobs: { ...words, RECALL_ARM_BM25_MIN_SCORE: 0.5 } }),
  ).toContain(named.title);
  expect(
    await titles({
      query: 'deploy canary hosts first',
      knobs: { ...words, RECALL_ARM_BM25_MIN_SCORE: 0.5, RECALL_GRAPH_ARM: false },
    }),
  ).not.toContain(named.title);
});
