import { expect, test } from 'vitest';
import { boundedBoost } from '../bounded-boost.ts';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { recency } from './recency.ts';

const words = { RECALL_VECTOR_ARM: false };
const old = { title: 'Retry strategy: wait and try again, a', scope: 'global' as const, daysAgo: 700 };
const fresh = { title: 'Retry strategy: wait and try again, b', scope: 'global' as const, daysAgo: 1 };

// R8: of two that fit equally well the newer wins.
proof(recency, 'breaks a near tie', {
  given: [old, fresh],
  ask: { query: 'retry strategy', knobs: words },
  off: [old.title, fresh.title],
  on: [fresh.title, old.title],
});

const decisive = {
  title: 'Retry strategy of the payment client is exponential backoff with jitter',
  scope: 'global' as const,
  daysAgo: 700,
};
const barely = {
  title: 'The office moves in May',
  body: 'A new strategy for parking.',
  scope: 'global' as const,
  daysAgo: 0,
};
const HIGHEST = recency.knobs.alpha.max ?? 0;

test.each([0, recency.knobs.alpha.default, 0.5, HIGHEST])(
  'R8: at a weight of %d, age does not overturn a decisive fit',
  async (weight) => {
    const { titles } = await world([decisive, barely]);
    const knobs = { ...words, RECALL_RECENCY_ALPHA: weight };
    expect(await titles({ query: 'retry strategy of the payment client', knobs })).toEqual([
      decisive.title,
      barely.title,
    ]);
  },
);

test('R8: a weight above the highest is refused', async () => {
  const { titles } = await world([decisive]);
  await expect(
    titles({ query: 'retry strategy', knobs: { RECALL_RECENCY_ALPHA: HIGHEST + 0.01 } }),
  ).rejects.toThrow('RECALL_RECENCY_ALPHA takes a number from 0 to 1');
});

test('R8: a boost is 1 ± half its weight, whatever it is given; at its highest, what scores three times as much stays first', () => {
  for (const norm of [-5, 0, 0.3, 1, 99]) {
    expect(boundedBoost(norm, 0.2)).toBeGreaterThanOrEqual(0.9);
    expect(boundedBoost(norm, 0.2)).toBeLessThanOrEqual(1.1);
    expect(3 * boundedBoost(0, HIGHEST)).toBeGreaterThanOrEqual(boundedBoost(norm, HIGHEST));
  }
  expect(boundedBoost(0.5, 0.2)).toBe(1);
});
