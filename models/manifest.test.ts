import { expect, test } from 'vitest';
import { MANIFEST, TOKENIZER, WEIGHTS } from './manifest.ts';

test('every model has weights and a tokenizer, each with a source that is pinned to a version or follows one that is', () => {
  for (const { id, files } of MANIFEST) {
    expect(
      files.map(({ name }) => name),
      id,
    ).toEqual([WEIGHTS, TOKENIZER]);
    for (const { sources } of files) {
      const [first] = sources;
      if (first?.kind === 'hub') expect(first.url).toMatch(/\/resolve\/[0-9a-f]{40}\//);
    }
  }
});

test('the manifest has two embedders and a cross-encoder, each under its own id', () => {
  expect(MANIFEST.filter(({ role }) => role === 'embedder')).toHaveLength(2);
  expect(MANIFEST.filter(({ role }) => role === 'cross-encoder')).toHaveLength(1);
  expect(new Set(MANIFEST.map(({ id }) => id)).size).toBe(MANIFEST.length);
});
