// Responsiveness of the window with many learnings: `npm run bench:ui [-- --size 10000] [--document]`, after `npm run
// build`. `--document` writes the table to docs/bench-ui.md, unless other work kept the machine busy.
import { type Browser, chromium, type Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../app/setup.mjs';
import { Homes } from '../../daemon/bench/home.ts';
import { watchContention } from '../../daemon/bench/machine.ts';
import { openInference } from '../../daemon/bench/models.ts';
import { percentile } from '../../daemon/bench/statistics.ts';
import { findBrowser } from '../browser.ts';
import { createWorld, type RunningDaemon, startDaemon } from '../world.ts';
import { measureScrolling, timeSwitch, watchFirstRows, watchTheList } from './in-page.ts';

/** A page by its heading, and the longest its p95 may take. */
const PAGES: Readonly<Record<string, readonly [hash: string, bar: number]>> = {
  Inbox: ['#/inbox', 100],
  Learnings: ['#/learnings', 100],
  Sessions: ['#/sessions', 100],
  Pinned: ['#/slots', 100],
  Team: ['#/team', 200],
  Settings: ['#/settings', 100],
  'Recall lab': ['#/lab', 100],
  Graph: ['#/graph', 100],
  Utility: ['#/utility', 100],
};
const COLD_STARTS = 5;
const VISITS = 20;
const QUERIES = ['retry the upload', 'schema migration', 'cache invoice'];
const SETTLED_MS = 700;
/** The most that other work may take of the cores. */
const QUIET = 0.25;
const LISTENED_MS = 3_000;

interface Row {
  what: string;
  values: number[];
  /** In milliseconds, for the p95; missing where none was set. */
  bar?: number;
}

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    document: { type: 'boolean', default: false },
  },
});
const size = Number(options.size);
const rows: Row[] = [];

function tell(what: string, values: number[], bar?: number): void {
  rows.push({ what, values, ...(bar === undefined ? {} : { bar }) });
  console.log(lineOf(rows.at(-1) as Row)); // just pushed
}

/** The share of the cores that others use. The load average would count the build and the run itself. */
async function listen(): Promise<number> {
  const share = watchContention();
  await new Promise((resolve) => setTimeout(resolve, LISTENED_MS));
  return share();
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
const ms = (value: number) => `${Math.round(value)} ms`;

function lineOf({ what, values, bar }: Row): string {
  if (values.length === 0) return `| ${what} | | | | nothing measured |`;
  const p95 = percentile(values, 0.95);
  const verdict = bar === undefined ? '' : p95 <= bar ? 'met' : '**missed**';
  const cells = [what, ms(percentile(values, 0.5)), ms(p95), bar === undefined ? '' : `≤ ${bar} ms`, verdict];
  return `| ${cells.join(' | ')} |`;
}

/** With a daemon that was just started and a browser without a cache: from the navigation to painted rows. */
async function openCold(
  start: () => Promise<RunningDaemon>,
  launch: () => Promise<Browser>,
): Promise<number> {
  const daemon = await start();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchFirstRows);
    await page.goto(`${(await daemon.call('ui.code', {})).url}#/learnings`);
    return await page.evaluate(() => window.firstRows ?? Promise.reject(new Error('not watched')));
  } finally {
    await browser.close();
    await daemon.stop();
  }
}

/** Every page in turn, so that each is left and returned to as a person does. */
async function switchPages(page: Page): Promise<void> {
  const times = new Map<string, number[]>();
  for (let visit = 0; visit < VISITS; visit++) {
    for (const [heading, [hash]] of Object.entries(PAGES)) {
      const took = await page.evaluate(timeSwitch, [hash, heading] as const);
      times.set(heading, [...(times.get(heading) ?? []), took]);
      await page.waitForTimeout(150); // what the page asked for besides must not count for the next
    }
  }
  for (const [heading, values] of times) tell(`switch to ${heading}`, values, PAGES[heading]?.[1]);
}

/** Types letter by letter, waiting for the list to settle, and measures the time until rows are painted and refined. */
async function typeSlowly(page: Page, where: string, list: string, field: string): Promise<void> {
  const [first, last]: [number[], number[]] = [[], []];
  let answered = 0;
  for (const query of QUERIES) {
    await page.locator(field).fill('');
    await page.waitForTimeout(SETTLED_MS);
    for (const letter of query) {
      await page.evaluate(watchTheList, list);
      await page.keyboard.type(letter);
      await page.waitForTimeout(SETTLED_MS);
      const painted = await page.evaluate(() => window.painted);
      first.push(...(painted?.first.slice(0, 1) ?? []));
      last.push(...(painted?.refined.slice(-1) ?? []));
      if ((painted?.rows ?? 0) > 0) answered++;
    }
  }
  tell(`${where}: letter → rows (${answered} of ${first.length} first answers have rows)`, first, 50);
  tell(`${where}: letter → rows by meaning, with the pause before they are asked for`, last);
}

function toMarkdown(browser: string, others: number): string {
  return `# The window with ${size.toLocaleString('en')} learnings

Generated by \`npm run bench:ui -- --document\`; edits are overwritten. A real daemon, ${browser}, ${availableParallelism()} cores;
other work took at most ${percent(others)} of them before and after the run. Every figure ends with the frame that shows the result.

| what | p50 | p95 | bar | |
|---|---|---|---|---|
${rows.map(lineOf).join('\n')}
`;
}

const before = await listen();
const inference = await openInference(process.env);
const homes = new Homes(inference, console.log);
const { home } = await homes.filled(size);
await inference.close();
const world = createWorld();
const found = await findBrowser();
const launch = () =>
  chromium.launch({
    executablePath: found.executablePath,
    args: found.args,
    env: { ...process.env, ...found.env },
  });
const start = () => startDaemon({ ...world, home, env: { ...world.env, REFLECT_HOME: home } }, []);
const browser = await launch();
const version = `Chromium ${browser.version()}`;

try {
  console.log(`${size} learnings, ${version}, other work: ${percent(before)} of the cores\n`);
  const cold: number[] = [];
  for (let run = 0; run < COLD_STARTS; run++) cold.push(await openCold(start, launch));
  tell('daemon just started, empty browser: navigation → first rows', cold, 1_000);

  const daemon = await start();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto((await daemon.call('ui.code', {})).url);
    await page.getByRole('navigation').waitFor();
    await switchPages(page);
    await page.evaluate(timeSwitch, ['#/learnings', 'Learnings'] as const);
    const field = 'main input[type=text]';
    await page.locator(field).focus();
    await typeSlowly(page, 'Learnings', 'main [role=listbox]', field);
    await page.locator(field).fill('');
    await page.waitForTimeout(SETTLED_MS);
    tell(
      'frame while scrolling through all rows',
      await page.evaluate(measureScrolling, 'main [role=listbox]'),
    );
    await page.goto(new URL('/quick-search.html', page.url()).href);
    await page.getByRole('combobox').focus();
    await typeSlowly(page, 'quick-search', '[role=listbox]', '[role=combobox]');
  } finally {
    await daemon.stop();
  }
  await browser.close();
  const others = Math.max(before, await listen());
  if (options.document && others > QUIET)
    console.log(`Not written: other work took ${percent(others)} of the cores.`);
  else if (options.document)
    writeFileSync(path.join(ROOT, 'docs', 'bench-ui.md'), toMarkdown(version, others));
} finally {
  await browser.close();
  world.remove();
  homes.remove();
}
