// Run by `npm run bench:quick-search`: the time from key press to the painted field, in real Electron.
import type { Page } from '@playwright/test';
import { execFile, execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { setUp } from '../app/setup.mjs';
import { say } from '../app/terminal.mjs';
import { percentile } from '../daemon/bench/statistics.ts';
import { type Desktop, openDesktop } from './desktop.ts';
import { openDisplay } from './display.ts';
import { findTestElectron } from './test-electron.ts';
import { createWorld } from './world.ts';

const RUNS = 30;
const TIMEOUT_MS = 20_000;
const BAR_MS = 150;
const pressKeys = () => execFile('xdotool', ['key', 'ctrl+shift+space']);

async function until<T>(look: () => Promise<T | null | undefined>): Promise<T> {
  const start = performance.now();
  while (performance.now() - start < TIMEOUT_MS) {
    const seen = await look();
    if (seen !== null && seen !== undefined) return seen;
    await delay(5);
  }
  throw new Error('quick-search did not open');
}

const isShown = async (desktop: Desktop) =>
  (await desktop.windows()).some(({ url, visible }) => url.includes('quick-search') && visible);

/** The first time its page is loaded, too. The keys are grabbed a moment after the main window shows. */
async function openCold(desktop: Desktop): Promise<{ page: Page; ms: number }> {
  await desktop.main.getByRole('navigation').waitFor();
  await delay(2_000);
  const pressedAt = Date.now();
  pressKeys();
  const page = await until(async () =>
    desktop.app.windows().find((each) => each.url().includes('quick-search')),
  );
  const paintedAt = await until(() =>
    page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return paint ? performance.timeOrigin + paint.startTime : null;
    }),
  );
  return { page, ms: paintedAt - pressedAt };
}

async function openWarm(desktop: Desktop, page: Page): Promise<number> {
  await page.keyboard.press('Escape');
  await until(async () => ((await isShown(desktop)) ? null : true));
  await delay(300);
  const painted = desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().includes('quick-search'),
    );
    // The second frame begins after the first, with the focus in the field, has been painted.
    const twoFrames =
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.timeOrigin + performance.now()))))';
    return new Promise<number>((resolve) =>
      window?.once('focus', () => void window.webContents.executeJavaScript(twoFrames).then(resolve)),
    );
  });
  await desktop.windows(); // by now it listens
  const pressedAt = performance.timeOrigin + performance.now();
  pressKeys();
  return (await painted) - pressedAt;
}

function keyPressMs(): number {
  const start = performance.now();
  execFileSync('xdotool', ['version']);
  return performance.now() - start;
}

await setUp();
const display = await openDisplay(await findTestElectron());
Object.assign(process.env, display.env);
const world = createWorld();
const desktop = await openDesktop(world, ['--demo']);
try {
  const { page, ms: cold } = await openCold(desktop);
  const warm: number[] = [];
  for (let run = 0; run < RUNS; run += 1) warm.push(await openWarm(desktop, page));
  const [p50, p95, max] = [percentile(warm, 0.5), percentile(warm, 0.95), Math.max(...warm)];
  say(
    `quick-search, from the keys to the painted field, warm, ${RUNS} times: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, longest ${max.toFixed(0)} ms (bar: ${BAR_MS} ms)`,
  );
  say(
    `the first time, with its page loaded: ${cold.toFixed(0)} ms; of each, starting the program that presses the keys: ${keyPressMs().toFixed(0)} ms`,
  );
} finally {
  await desktop.quit();
  world.remove();
  display.close();
}
