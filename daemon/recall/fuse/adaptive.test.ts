import { expect, test } from 'vitest';
import type { Inference } from '../../inference/inference.ts';
import { world } from '../../testing/world.ts';
import { makeNotes } from '../../bench/corpus.ts';

const CLEAR = {
  title: 'Rotate the signing key of the release bot every ninety days',
  scope: 'global' as const,
};
const many = [CLEAR, ...makeNotes(40).map(({ title, rule }) => ({ title, rule, scope: 'global' as const }))];
const question = { query: 'how often is the signing key of the release bot rotated', global: true };

/** The models, with a record of which embedders were asked. */
function watched(inference: Inference, change: Partial<Inference> = {}) {
  const asked: string[] = [];
  const read = change.readQuery ?? inference.readQuery;
  return {
    asked,
    inference: {
      ...inference,
      ...change,
      readQuery: ((role, text, limits) => {
        asked.push(role);
        return read(role, text, limits);
      }) satisfies Inference['readQuery'],
    },
  };
}

test('a clear order does not wait for the larger embedder', async () => {
  const { parts, inference, titles } = await world(many);
  const { readQuery } = inference;
  const never = new Promise<never>(() => {});
  parts.inference = {
    ...inference,
    readQuery: (role, text, limits) => (role === 'embedder' ? never : readQuery(role, text, limits)),
  };
  expect(await titles(question)).toContain(CLEAR.title);
});

test('while others wait for a model, a clear order does not even start it', async () => {
  const { parts, inference, titles } = await world(many);
  const { asked, inference: busy } = watched(inference, { isBusy: () => true });
  parts.inference = busy;
  expect(await titles(question)).toContain(CLEAR.title);
  expect(asked).toEqual(['second-embedder']);
});

test('an open order is decided by both', async () => {
  const { parts, inference, titles } = await world([CLEAR]);
  const { asked, inference: busy } = watched(inference, { isBusy: () => true });
  parts.inference = busy;
  expect(await titles(question)).toEqual([CLEAR.title]);
  expect(asked).toEqual(['second-embedder', 'embedder']);
});

test('a prompt is judged by both: each learning has to pass a bar', async () => {
  const { parts, inference, recall } = await world(many);
  const { asked, inference: busy } = watched(inference, { isBusy: () => true });
  parts.inference = busy;
  await recall({ ...question, thorough: true });
  expect(asked.toSorted()).toEqual(['embedder', 'second-embedder']);
});
