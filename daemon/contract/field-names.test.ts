import { expect, test } from 'vitest';
import { withFieldNames } from './field-names.ts';
import { METHODS } from './methods.ts';

const query = METHODS['memories.query'].input;
const trace = METHODS['traces.create'].input;

test('snake_case fields are those of the contract, also within lists and objects', () => {
  expect(
    withFieldNames(query, { task: 'x', lambda_: 0.6, mmr_lambda: 1, similarity_threshold: 0.3 }),
  ).toEqual({ task: 'x', lambda: 0.6, mmrLambda: 1, similarityThreshold: 0.3 });
  expect(
    withFieldNames(METHODS['learnings.create'].input, { note: { title: 'x', root_cause: 'y' } }),
  ).toEqual({ note: { title: 'x', rootCause: 'y' } });
});

test('the keys of metadata and the contract’s own underscores stay', () => {
  expect(withFieldNames(query, { metadata_filter: { action_type: 'cancel' } })).toEqual({
    metadataFilter: { action_type: 'cancel' },
  });
  expect(withFieldNames(METHODS['reflections.append'].input, { loop_id: 'ralph-a' })).toEqual({
    loop_id: 'ralph-a',
  });
  expect(withFieldNames(trace, { trajectory: [{ role: 'user', tool_calls: [] }] })).toEqual({
    trajectory: [{ role: 'user', tool_calls: [] }],
  });
});

test('a field given in both spellings, or in neither, is left to be refused', () => {
  const twice = { task: 'x', mmrLambda: 1, mmr_lambda: 0 };
  expect(withFieldNames(query, twice)).toEqual(twice);
  expect(query.safeParse(withFieldNames(query, twice)).success).toBe(false);
  expect(query.safeParse(withFieldNames(query, { task: 'x', mmr_lamda: 1 })).success).toBe(false);
});
