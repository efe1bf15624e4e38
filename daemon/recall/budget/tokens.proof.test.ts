import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { tokens } from './tokens.ts';

const long = (title: string) => ({
  title,
  fix: 'Follow the deploy steps one by one. '.repeat(10),
  scope: 'global' as const,
});
const steps = [
  long('Deploy steps for the database'),
  long('Deploy steps for the edge nodes'),
  long('Deploy steps for the shop front end'),
];
const budget = { RECALL_VECTOR_ARM: false, REFLECT_RECALL_MAX_TOKENS: 260 };

// R4: the budget bounds the block, not the number of learnings.
proof(tokens, 'packs what fits into the budget and stops', {
  given: steps,
  ask: { query: 'deploy steps database', knobs: budget },
  on: ['Deploy steps for the database', 'Deploy steps for the edge nodes'],
  off: [
    'Deploy steps for the database',
    'Deploy steps for the edge nodes',
    'Deploy steps for the shop front end',
  ],
});

test('R4: the first learning always fits, and a budget of 0 is none', async () => {
  const { titles } = await world(steps);
  expect(
    await titles({ query: 'deploy steps', knobs: { ...budget, REFLECT_RECALL_MAX_TOKENS: 1 } }),
  ).toHaveLength(1);
  expect(
    await titles({ query: 'deploy steps', knobs: { ...budget, REFLECT_RECALL_MAX_TOKENS: 0 } }),
  ).toHaveLength(3);
});
