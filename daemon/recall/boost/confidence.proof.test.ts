import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { confidence } from './confidence.ts';

const words = { RECALL_VECTOR_ARM: false };
const sure = { title: 'Migrations run before deploys, a', confidence: 0.82, scope: 'global' as const };
const surer = { title: 'Migrations run before deploys, b', confidence: 0.95, scope: 'global' as const };

// S3: both are "high"; only their numbers tell them apart.
proof(confidence, 'separates two learnings of the same tier by their numbers', {
  given: [sure, surer],
  ask: { query: 'migrations before deploys', knobs: words },
  off: [sure.title, surer.title],
  on: [surer.title, sure.title],
});

test('S3: the number is what is kept and shown', async () => {
  const { recall } = await world([surer]);
  expect((await recall({ query: 'migrations', knobs: words })).hits[0]?.learning.confidence).toBe(0.95);
});

test('S3: a weight of 0 switches its influence off', async () => {
  const { titles } = await world([sure, surer]);
  expect(
    await titles({ query: 'migrations before deploys', knobs: { ...words, RECALL_CONFIDENCE_ALPHA: 0 } }),
  ).toEqual([sure.title, surer.title]);
});
