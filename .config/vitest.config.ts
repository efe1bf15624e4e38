import { svelte } from '@sveltejs/vite-plugin-svelte';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ROOT } from './imports.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testsByTier } from './tiers.ts';

const tests = testsByTier();
/** Tests that use runes themselves run on Svelte as the window does. */
const EFFECT_TESTS = 'renderer/**/*.svelte.test.ts';

export default defineConfig({
  root: ROOT,
  cacheDir: '.cache/vite',
  plugins: [svelte({ configFile: false })],
  test: {
    // One worker for each core: more only make the timing-sensitive process tests wait for each other.
    maxWorkers: availableParallelism(),
    // What comes late on a busy machine has come all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    env: { TMPDIR: temporaryFolder() },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: tests.pure,
          exclude: [EFFECT_TESTS],
          // Files share their worker: loading the same modules 150 times took most of the time.
          pool: 'forks',
          isolate: false,
          setupFiles: ['.config/pure.setup.ts', '.config/cases.setup.ts'],
        },
      },
      {
        extends: true,
        environments: { client: { resolve: { conditions: ['browser'] } } },
        test: {
          name: 'pure-effects',
          include: [EFFECT_TESTS],
          environment: '.config/client-environment.ts',
          server: { deps: { inline: ['svelte'] } },
        },
      },
      ...(['process', 'models'] as const).map((tier) => ({
        extends: true as const,
        test: {
          name: tier,
          include: tests[tier],
          // As above; and models are loaded once for each worker.
          pool: 'forks' as const,
          isolate: false,
          setupFiles: ['.config/cases.setup.ts'],
          // Half the time of a command line started from source is compiling it.
          env: { NODE_COMPILE_CACHE: `${ROOT}.cache/compiled` },
        },
      })),
    ],
  },
});
