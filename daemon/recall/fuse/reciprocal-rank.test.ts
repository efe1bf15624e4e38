import { expect, test } from 'vitest';
import type { ArmResult, RecallContext } from '../port.ts';
import { reciprocalRank } from './reciprocal-rank.ts';

const arm = (name: string, ...seqs: number[]): ArmResult => ({
  arm: name,
  evidence: 'finds',
  strength: 'score',
  floor: 0,
  weight: 1,
  candidates: seqs.map((seq) => ({ seq, score: 1 })),
});
const ARMS = [arm('words', 1, 2), arm('meaning', 3, 2)];
const NOWHERE = {} as RecallContext; // ranks alone decide

test('a candidate that two arms find comes before one that a single arm finds first', async () => {
  const { result } = await reciprocalRank.run(ARMS, NOWHERE, { constant: 60 });
  expect(result.map(({ seq }) => seq)).toEqual([2, 1, 3]);
  expect(result[0]?.note).toBe('words #2, meaning #2');
});

test('switched off, the arms follow each other', () => {
  expect(reciprocalRank.off(ARMS).map(({ seq }) => seq)).toEqual([1, 2, 3, 2]);
});
