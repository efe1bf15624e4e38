import { describe, expect, test } from 'vitest';
import { runScript } from '../testing/child-script.ts';
import { needs } from '../testing/needs.ts';
import { MODELS_DIR, NO_WEIGHTS } from './testing.ts';

describe('with the real embedders', () => {
  needs(NO_WEIGHTS);

  test('closing while a model loads or computes ends in order, at any moment', async () => {
    for (const waitMs of [100, 150, 300, 400, 500])
      expect(
        await runScript('close-inference.ts', [MODELS_DIR, String(waitMs)]),
        `after ${waitMs} ms`,
      ).toEqual({ code: 0, signal: null });
  });
});
