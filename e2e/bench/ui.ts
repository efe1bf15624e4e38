// Responsiveness of the window with many learnings: `npm run bench:ui [-- 10000]`. It prints figures without limits, because they depend on the load of the machine.
import { chromium, type Page } from '@playwright/test';
import { availableParallelism, loadavg } from 'node:os';
import { Homes } from '../../daemon/bench/home.ts';
import { openInference } from '../../daemon/bench/models.ts';
import { percentile } from '../../daemon/bench/statistics.ts';
import { findBrowser } from '../browser.ts';
import { createWorld, startDaemon } from '../world.ts';
import { measureScrolling, measureTyping, watchTheList } from './in-page.ts';

const size = Number(process.argv[2] ?? 10_000);
const PAGES = ['inbox', 'learnings', 'lab', 'graph', 'slots', 'sessions', 'utility', 'team', 'settings'];
const QUERIES = ['retry the upload', 'schema migration', 'cache invoice'];

const ms = (value: number) => `${value.toFixed(1)} ms`;
const spread = (values: number[]) =>
  values.length === 0
    ? 'nothing measured'
    : `median ${ms(percentile(values, 0.5))}, p95 ${ms(percentile(values, 0.95))}, worst ${ms(Math.max(...values))} (${values.length})`;
// Other processes affect every figure.
const busy = () =>
  `${(loadavg()[0] ?? 0).toFixed(1)} processes wanted ${availableParallelism()} cores in the last minute`;
const say = (what: string, figures: string) => console.log(`${what.padEnd(44)} ${figures}`);

/** Types letter by letter, waiting for the list to settle, and measures the time until rows are painted and refined. */
async function typeSlowly(page: Page, list: string, field: string): Promise<void> {
  const [first, last]: [number[], number[]] = [[], []];
  for (const query of QUERIES) {
    await page.locator(field).fill('');
    await page.waitForTimeout(700);
    for (const letter of query) {
      await page.evaluate(watchTheList, list);
      await page.keyboard.type(letter);
      await page.waitForTimeout(700);
      const painted = await page.evaluate(() => window.painted);
      first.push(...(painted?.first.slice(0, 1) ?? []));
      last.push(...(painted?.refined.slice(-1) ?? []));
    }
  }
  say('  a letter until rows are painted', spread(first));
  say('  and until they stand as refined', spread(last));
}

const inference = await openInference(process.env);
const homes = new Homes(inference, console.log);
const { home } = await homes.filled(size);
await inference.close();
const world = createWorld();
const { call, stop } = await startDaemon({ ...world, home, env: { ...world.env, REFLECT_HOME: home } }, []);
const { executablePath, args, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });

/** Waits for the daemon's first sweep after its start, which would distort the figures. */
async function untilQuiet(): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (let quick = 0; quick < 20 && performance.now() < deadline;) {
    const start = performance.now();
    await call('gaps.list', {});
    quick = performance.now() - start < 5 ? quick + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function timeCalls(): Promise<void> {
  const asked: [string, () => Promise<unknown>][] = [
    ['status', () => call('status', {})],
    ['projects.list', () => call('projects.list', {})],
    ['inbox.list', () => call('inbox.list', {})],
    ['sessions.list', () => call('sessions.list', {})],
    ['store.sizes', () => call('store.sizes', {})],
    ['learnings.list', () => call('learnings.list', { status: 'active' })],
    ['learnings.list, a letter typed', () => call('learnings.list', { status: 'active', text: 'r' })],
    [
      'learnings.list, words typed',
      () => call('learnings.list', { status: 'active', text: 'retry the upload' }),
    ],
    [
      'recall.search',
      () => call('recall.search', { query: `retry the upload ${Math.random()}`, global: true, quiet: true }),
    ],
  ];
  for (const [name, ask] of asked) {
    const times: number[] = [];
    for (let time = 0; time < 12; time++) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
    }
    say(`  ${name}`, spread(times.slice(2)));
  }
}

try {
  console.log(`${size} learnings, ${browser.version()}, ${busy()}\n\nAsked of the daemon`);
  await untilQuiet();
  await timeCalls();

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto((await call('ui.code', {})).url);
  await page.getByRole('navigation').waitFor();
  const origin = new URL('/', page.url()).href;

  console.log('\nPages, from the link to what they show');
  for (const name of PAGES) {
    await page.evaluate(() => (location.hash = '#/settings'));
    await page.waitForTimeout(600);
    const start = performance.now();
    await page.evaluate((hash) => (location.hash = hash), `#/${name}`);
    await page.locator('main h1').waitFor();
    await page.locator('main [aria-label="Loading"]').waitFor({ state: 'detached' });
    say(`  ${name}`, ms(performance.now() - start));
  }

  console.log(`\nLearnings (${busy()})`);
  await page.evaluate(() => (location.hash = '#/learnings'));
  await page.locator('main [role=option]').first().waitFor();
  const field = 'main input[type=text]';
  await page.locator(field).focus();
  await typeSlowly(page, 'main [role=listbox]', field);
  await page.locator(field).fill('');
  await page.waitForTimeout(700);
  const typing = page.evaluate(measureTyping, 'main input[type=text]');
  await page.keyboard.type('never leave the invoice cache to the retry queue', { delay: 35 });
  const { waits, frames } = await typing;
  say('  a letter until the field has it, typed fast', spread(waits));
  say('  frames meanwhile', spread(frames));
  await page.locator(field).fill('');
  await page.waitForTimeout(700);
  const scrolled = await page.evaluate(measureScrolling, 'main [role=listbox]');
  say('  frames while scrolling through', spread(scrolled));
  say(
    '  frames later than 1/60 s and a quarter',
    `${((scrolled.filter((frame) => frame > 20.8).length / scrolled.length) * 100).toFixed(1)} %`,
  );

  console.log('\nQuick-search');
  await page.goto(`${origin}quick-search.html`);
  await page.getByRole('combobox').focus();
  await typeSlowly(page, '[role=listbox]', '[role=combobox]');
} finally {
  await browser.close();
  await stop();
  world.remove();
  homes.remove();
}
