import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Each test has a daemon of its own, and each worker a browser: two cores carry two of them.
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: { trace: 'off', viewport: { width: 1280, height: 820 }, locale: 'en-GB' },
  projects: [
    { name: 'browser', testDir: './browser' },
    // The desktop has one keyboard and one clipboard.
    { name: 'electron', testDir: './electron', workers: 1, fullyParallel: false },
    { name: 'packaged', testDir: './packaged', workers: 1, fullyParallel: false },
  ],
});
