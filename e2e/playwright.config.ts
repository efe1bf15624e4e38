import { defineConfig } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { temporaryFolder } from '../.config/temporary-folder.ts';

process.env['TMPDIR'] = temporaryFolder(); // for the homes of the tests, and for what browsers and daemons write

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Each test has a daemon of its own and each worker a browser, so a core carries one of them.
  workers: availableParallelism(),
  // A flaky test is mended or removed, never repeated.
  retries: 0,
  fullyParallel: true,
  // On a busy machine things come late, and have come all the same.
  timeout: 120_000,
  expect: { timeout: 60_000 },
  reporter: 'line',
  use: { trace: 'off', viewport: { width: 1280, height: 820 }, locale: 'en-GB' },
  projects: [
    { name: 'browser', testDir: './browser' },
    // The desktop has one keyboard and one clipboard.
    { name: 'electron', testDir: './electron', workers: 1, fullyParallel: false },
    { name: 'packaged', testDir: './packaged', workers: 1, fullyParallel: false },
  ],
});
