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

test('R8: however high the weight is set within its bounds, a decisive fit is not overturned by age', async () => {
  const answerer = {
    title: 'Retry strategy of the payment client is exponential backoff with jitter',
    scope: 'global' as const,
    daysAgo: 700,
  };
  const { titles } = await world([
    answerer,
    {
      title: 'The office moves in May',
      body: 'A new strategy for parking.',
      scope: 'global' as const,
      daysAgo: 0,
    },
  ]);
  expect((await titles({ query: 'retry strategy of the payment client', knobs: words }))[0]).toBe(
    answerer.title,
  );
});

test('R8: a boost is 1 ± half its weight, whatever it is given', () => {
  for (const norm of [-5, 0, 0.3, 1, 99]) {
    expect(boundedBoost(norm, 0.2)).toBeGreaterThanOrEqual(0.9);
    expect(boundedBoost(norm, 0.2)).toBeLessThanOrEqual(1.1);
  }
  expect(boundedBoost(0.5, 0.2)).toBe(1);
});
