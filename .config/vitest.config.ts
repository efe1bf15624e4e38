import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [svelte()],
  test: {
    include: ['{daemon,app,models,renderer}/**/*.test.ts'],
    // Two cores: more forks only make the timing-sensitive process tests wait for each other.
    maxWorkers: 2,
    pool: 'forks',
    // Many tests wait for real processes, files and models. On a busy CI machine one such wait may run out once; what is broken
    // fails twice. Elsewhere nothing is tried again, so that a flaky test is seen by whoever can mend it.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
