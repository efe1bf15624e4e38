import { AxeBuilder } from '@axe-core/playwright';
import { chromium, expect, type Page, test as base } from '@playwright/test';
import { cpSync } from 'node:fs';
import type { Call } from '#contract/methods.ts';
import { findBrowser } from './browser.ts';
import {
  type CommandOutcome,
  createBareWorld,
  createWorld,
  endProcessesOf,
  processesOf,
  reflect,
  type RunningDaemon,
  startDaemon,
  TranscriptWriter,
  type World,
} from './world.ts';

interface Options {
  /** Start with the knowledge base of `--demo`. */
  demo: boolean;
  /** A home that has never seen Reflect, with nothing of it in the environment. */
  bare: boolean;
}

interface WorkerFixtures {
  /** Puts the knowledge base of `--demo` into a world. */
  fillWithDemo: (world: World) => Promise<void>;
}

interface Fixtures {
  world: World;
  daemon: RunningDaemon;
  call: Call;
  /** Runs `reflect …` in the test's repository. */
  cli: (...args: string[]) => Promise<CommandOutcome>;
  transcript: TranscriptWriter;
  /** Opens a page of the UI through a fresh one-time code. */
  openUi: (page: Page, hash?: string) => Promise<void>;
}

/** Removes the world after its use. A process that outlives it is a failure. */
export async function useWorld(world: World, use: (world: World) => Promise<void>): Promise<void> {
  try {
    await use(world);
    await expect.poll(() => processesOf(world), 'every process that was started has ended').toEqual([]);
  } finally {
    endProcessesOf(world);
    world.remove();
  }
}

/** The home of a daemon that has written the demo and embedded its notes. */
async function prepareDemo(): Promise<World> {
  const world = createWorld();
  const daemon = await startDaemon(world, ['--demo']);
  await expect.poll(async () => (await daemon.call('status', {})).index.waiting).toBe(0);
  await daemon.stop();
  return world;
}

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  demo: [false, { option: true }],
  bare: [false, { option: true }],

  // Made once for each worker: a daemon computes for three seconds until the demo is embedded.
  fillWithDemo: [
    async ({}, use) => {
      let prepared: Promise<World> | undefined;
      await use(async ({ home }) => {
        const demo = await (prepared ??= prepareDemo());
        cpSync(demo.home, home, { recursive: true, preserveTimestamps: true });
      });
      (await prepared)?.remove();
    },
    { scope: 'worker' },
  ],

  world: ({ bare }, use) => useWorld(bare ? createBareWorld() : createWorld(), use),

  daemon: async ({ world, demo, fillWithDemo }, use) => {
    if (demo) await fillWithDemo(world);
    const daemon = await startDaemon(world, []);
    await use(daemon);
    await daemon.stop();
  },

  call: async ({ daemon }, use) => use(daemon.call),
  cli: async ({ world }, use) => use((...args) => reflect(world, args)),
  transcript: async ({ world }, use) => use(new TranscriptWriter(world)),
  openUi: async ({ call }, use) =>
    use(async (page, hash = '#/learnings') => {
      const { url } = await call('ui.code', {});
      await page.goto(url);
      await expect(page.getByRole('navigation')).toBeVisible();
      await page.evaluate((to) => (location.hash = to), hash);
    }),

  browser: [
    async ({}, use) => {
      const { executablePath, args, env } = await findBrowser();
      const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],

  // A page that complains in the console is broken, even where it looks right. It is judged while its daemon still
  // runs.
  page: async ({ page, daemon: _daemon }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
    });
    await use(page);
    expect(complaints, 'the page reported no error').toEqual([]);
  },
});

export { expect };

/** Accessibility violations found by axe, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // A toast that is still fading in has no contrast to speak of.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        // One that follows the scrolling, or goes on for ever, does not end.
        .filter(
          ({ timeline, effect }) =>
            timeline === document.timeline && effect?.getComputedTiming().iterations !== Infinity,
        )
        .map((animation) => animation.finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}
