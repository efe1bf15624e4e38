import { expect, test } from 'vitest';
import { average, judge } from './metrics.ts';

test('a perfect ranking is 1 throughout, a useless one 0', () => {
  expect(judge(['a', 'b'], ['a', 'b'])).toEqual({ recall5: 1, recall10: 1, mrr: 1, ndcg: 1 });
  expect(judge(['x'], ['a'])).toEqual({ recall5: 0, recall10: 0, mrr: 0, ndcg: 0 });
});

test('a later hit counts less, and one beyond ten not at all', () => {
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
  expect(judge(keys, ['k2'])).toMatchObject({ mrr: 1 / 3, recall5: 1, ndcg: 0.5 });
  expect(judge(keys, ['k7'])).toMatchObject({ recall5: 0, recall10: 1 });
  expect(judge(keys, ['k11'])).toEqual({ recall5: 0, recall10: 0, mrr: 0, ndcg: 0 });
});

test('the same key twice counts once', () => {
  expect(judge(['a', 'a'], ['a', 'b']).recall5).toBe(0.5);
});

test('an average is taken field by field', () => {
  expect(average([judge(['a'], ['a']), judge(['x'], ['a'])])).toEqual({
    recall5: 0.5,
    recall10: 0.5,
    mrr: 0.5,
    ndcg: 0.5,
  });
});
