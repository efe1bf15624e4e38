import { describe, expect, test } from 'vitest';
import { CROSS_ENCODER, NO_WEIGHTS } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { crossEncoder } from './cross-encoder.ts';

const NO_CROSS_ENCODER = CROSS_ENCODER
  ? null
  : 'there is no cross-encoder here; REFLECT_CE_MODEL may point to one';
const missing = NO_WEIGHTS ?? NO_CROSS_ENCODER;

const keywordHeavy = {
  title: 'Auth token format: auth suite tokens are base64 test fixtures',
  scope: 'global' as const,
  body: 'The auth test suite reads auth tokens from a fixture. Auth test tokens and suite tokens share one format.',
};
const theAnswer = {
  title: 'Integration tests of login fail at random when run in parallel with xdist',
  scope: 'global' as const,
  fix: 'Give every worker its own database.',
};

describe('with a cross-encoder', () => {
  needs(missing);

  // R2: what answers the question overtakes what only shares its words.
  proof(crossEncoder, 'the learning that answers overtakes the one that repeats the words', {
    given: [keywordHeavy, theAnswer],
    crossEncoder: CROSS_ENCODER ?? '',
    ask: { query: 'flaky test in the auth suite', knobs: { RECALL_VECTOR_ARM: false, RECALL_CE_WEIGHT: 1 } },
    off: [keywordHeavy.title, theAnswer.title],
    on: [theAnswer.title, keywordHeavy.title],
  });

  test('R2: with weight 1 its score is the only key', async () => {
    const { recall, inference } = await world([keywordHeavy, theAnswer], {
      crossEncoder: CROSS_ENCODER ?? '',
    });
    const { hits } = await recall({ query: 'flaky test in the auth suite', knobs: { RECALL_CE_WEIGHT: 1 } });
    const scores = await inference.rerank(
      'flaky test in the auth suite',
      hits.map(({ learning }) => [learning.title, learning.fix, learning.body].join('\n')),
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('R2: a cross-encoder that takes too long leaves the fused order standing, and says so', async () => {
    const { parts, titles } = await world([keywordHeavy, theAnswer], { crossEncoder: CROSS_ENCODER ?? '' });
    const { inference } = parts;
    Object.assign(parts, {
      inference: {
        ...inference,
        rerank: (query: string, passages: string[]) => inference.rerank(query, passages, { timeoutMs: 0.01 }),
      },
    });
    expect(
      await titles({ query: 'flaky test in the auth suite', knobs: { RECALL_VECTOR_ARM: false } }),
    ).toEqual([keywordHeavy.title, theAnswer.title]);
  });
});
