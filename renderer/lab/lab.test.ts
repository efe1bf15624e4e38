import { expect, test } from 'vitest';
import type { TraceStep } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import { labColumns } from './columns.ts';
import { LabState } from './lab.svelte.ts';

const step = (stage: string, ids: string[], dropped: string[] = []): TraceStep => ({
  stage, port: stage, seed: null, on: true, ms: 1, says: '', knobs: {},
  candidates: ids.map((id, rank) => ({ id, title: id, rank, score: 1 - rank / 10 })),
  dropped: dropped.map((id) => ({ id, title: id, reason: 'too weak' })),
});

test('a candidate tells where it stood the step before', () => {
  const [arm, fuse, rerank] = labColumns([step('arm', ['a', 'b']), step('fuse', ['b', 'a', 'c']), step('rerank', ['a', 'b'], ['c'])]);
  expect(arm?.candidates.map(({ from }) => from)).toEqual([null, null]);
  expect(fuse?.candidates.map(({ from }) => from)).toEqual([null, null, null]);
  expect(rerank?.candidates.map(({ id, place, from }) => [id, place, from])).toEqual([['a', 1, 2], ['b', 2, 1]]);
});

test('a step without candidates does not lose the places', () => {
  const columns = labColumns([step('fuse', ['a', 'b']), step('log', []), step('boost', ['b', 'a'])]);
  expect(columns[2]?.candidates[0]).toMatchObject({ id: 'b', from: 2 });
});

test('an empty question is not asked', async () => {
  const lab = new LabState((async () => {
    throw new Error('asked');
  }) as unknown as Call);
  lab.query = '  ';
  await lab.ask();
  expect(lab.answer.error).toBeUndefined();
});
