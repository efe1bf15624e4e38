import { expect, test } from 'vitest';
import type { TraceStep } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import { labColumns } from './columns.ts';
import { LabState } from './lab.svelte.ts';

const step = (stage: string, ids: string[], dropped: string[] = []): TraceStep => ({
  stage, port: stage, seed: null, on: true, ms: 1, says: '', knobs: {},
  candidates: ids.map((id, rank) => ({ id, rank, score: 1 - rank / 10 })),
  dropped: dropped.map((id) => ({ id, reason: 'too weak' })),
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

test('names those that did not make it, and asks for each once', async () => {
  const asked: string[] = [];
  const call = async (method: string, input: { id: string }) => {
    if (method === 'recall.explain') return { hits: [], tokens: 0, ms: 1, notices: [], trace: [step('fuse', ['a', 'gone'])] };
    asked.push(input.id);
    if (input.id === 'gone') throw new Error('not found');
    return { title: 'Use tabs' };
  };
  const lab = new LabState(call as unknown as Call);
  lab.query = 'tabs';
  await lab.ask();
  await lab.ask();
  expect(lab.titles).toEqual({ a: 'Use tabs', gone: 'gone' });
  expect(asked).toEqual(['a', 'gone']);
});

test('an empty question is not asked', async () => {
  const lab = new LabState((async () => {
    throw new Error('asked');
  }) as unknown as Call);
  lab.query = '  ';
  await lab.ask();
  expect(lab.answer.error).toBeUndefined();
});
