import { svelte } from '@sveltejs/vite-plugin-svelte';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ROOT } from './imports.ts';
import { testsByTier } from './tiers.ts';

const tests = testsByTier();

export default defineConfig({
  root: ROOT,
  cacheDir: '.cache/vite',
  plugins: [svelte({ configFile: false })],
  test: {
    // One worker for each core: more only make the timing-sensitive process tests wait for each other.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: tests.pure,
          // Files share their worker: loading the same modules 150 times took most of the time.
          pool: 'forks',
          isolate: false,
          setupFiles: ['.config/pure.setup.ts'],
        },
      },
      { extends: true, test: { name: 'process', include: tests.process, pool: 'forks' } },
    ],
  },
});
