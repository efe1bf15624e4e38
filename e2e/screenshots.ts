// Pictures of every page, of the demo: `npm run screenshots [-- SIZE…] [--theme dark] [--scene inbox] [--sessions
// FOLDER]`. A size is written 1440x900; `--sessions` shows what a folder of real transcripts makes of an empty home
// instead. Without arguments, the pictures of the README are taken again.
import { chromium, type Page } from '@playwright/test';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Call } from '#contract/methods.ts';
import { makeDemoAgents } from '../app/demo-home.ts';
import { ROOT } from '../app/setup.mjs';
import { findBrowser } from './browser.ts';
import { filmStory } from './story.ts';
import { createWorld, startDaemon } from './world.ts';

interface Scene {
  name: string;
  hash: string;
  /** Steps before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    scene: { type: 'string', multiple: true, default: [] },
    sessions: { type: 'string' },
  },
});
const isForReadme = process.argv.length === 2;
const THEMES = (['light', 'dark'] as const).filter((theme) => options.theme.includes(theme));
const USUAL = { width: 1280, height: 800 };
const FOLDER = path.join(ROOT, '.cache', 'screenshots');
/** The pictures shown in the README, of the usual size. */
const IN_README = ['learnings-light', 'inbox-dark', 'lab-light'];
const STORY = 'correct-once.png';

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const type = (text: string) => (page: Page) => page.keyboard.type(text);
const tab = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click();

/** A learning of the demo with every part, which sessions were given and judged; of real ones, the first. */
const openRich = (page: Page) =>
  page
    .getByRole('listbox', { name: 'Learnings' })
    .getByRole('option', options.sessions ? {} : { name: /Give every outgoing gRPC call/ })
    .first()
    .click();

async function showUses(page: Page): Promise<void> {
  await openRich(page);
  await page.getByRole('tab', { name: 'Used by' }).click();
}

const SCENES: Scene[] = [
  { name: 'inbox', hash: '#/inbox' },
  { name: 'inbox-gap', hash: '#/inbox', prepare: (page) => page.getByRole('option').last().click() },
  { name: 'learnings', hash: '#/learnings', prepare: openRich },
  { name: 'learnings-uses', hash: '#/learnings', prepare: showUses },
  { name: 'learnings-history', hash: '#/learnings', prepare: tab(/History/) },
  { name: 'learnings-related', hash: '#/learnings', prepare: tab(/Related/) },
  { name: 'learnings-edit', hash: '#/learnings', prepare: press('e') },
  { name: 'learnings-skill', hash: '#/learnings', prepare: press('s') },
  { name: 'learnings-new', hash: '#/learnings', prepare: press('n') },
  { name: 'lab-empty', hash: '#/lab' },
  { name: 'lab', hash: '#/lab?q=how+should+tests+be+run+here%3F' },
  { name: 'graph', hash: '#/graph' },
  { name: 'slots', hash: '#/slots' },
  { name: 'sessions', hash: '#/sessions' },
  { name: 'sessions-session', hash: '#/sessions/demo-billing-svc-9' },
  { name: 'utility', hash: '#/utility' },
  { name: 'utility-experiences', hash: '#/utility', prepare: tab(/Experiences/) },
  { name: 'utility-loops', hash: '#/utility', prepare: tab(/Loops/) },
  { name: 'settings-status', hash: '#/settings?tab=status' },
  { name: 'team', hash: '#/team' },
  { name: 'team-import', hash: '#/team', prepare: press('i') },
  { name: 'settings', hash: '#/settings' },
  { name: 'settings-models', hash: '#/settings?tab=models' },
  { name: 'settings-judge', hash: '#/settings?tab=judge' },
  { name: 'settings-knobs', hash: '#/settings?tab=knobs' },
  { name: 'settings-agents', hash: '#/settings?tab=agents' },
  { name: 'settings-privacy', hash: '#/settings?tab=privacy' },
  { name: 'settings-ports', hash: '#/settings?tab=ports' },
  { name: 'settings-keyboard', hash: '#/settings?tab=keyboard' },
  { name: 'welcome', hash: '#/welcome' },
  { name: 'quick-search', hash: 'quick-search.html' },
  { name: 'quick-search-found', hash: 'quick-search.html', prepare: type('grpc deadline') },
  { name: 'palette', hash: '#/learnings', prepare: press('ControlOrMeta+k') },
  { name: 'keys', hash: '#/learnings', prepare: press('?') },
];

/**
 * Until all is read and embedded, results still change. A few questions give Status something to show; the first ones
 * only warm up.
 */
async function settle(call: Call, reads: boolean): Promise<void> {
  for (let isBusy = true; isBusy;) {
    const { index, progress, queue } = await call('status', {});
    const isRead = progress.filesDone === progress.filesTotal && (!reads || progress.filesTotal > 0);
    isBusy = index.waiting > 0 || queue > 0 || !isRead;
    if (isBusy) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  if (reads) await keepBest(call);
  for (const query of [
    'grpc deadline',
    'flaky checkout test',
    'nginx worker connections',
    'rounding of invoices',
    'index without locking the table',
    'secrets on the command line',
    'stop the gateway',
    'search input sends too many requests',
    'branches that others pull',
  ])
    await call('recall.search', { query, global: true });
}

/** Old sessions leave only candidates; a person has kept the best of them. */
async function keepBest(call: Call): Promise<void> {
  const { items } = await call('candidates.list', { limit: 40 });
  await call('candidates.keep', { ids: items.map(({ id }) => id) });
}

async function photograph(page: Page, { name, hash, prepare }: Scene, file: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${origin}${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(name === 'graph' ? 4_000 : 400); // the graph comes to rest, answers arrive
  await prepare?.(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: file });
}

const sizes = positionals.map((size) => {
  const [width, height] = size.split('x').map(Number);
  if (!width || !height) throw new Error(`A size is given as 1440x900, not ${size}.`);
  return { width, height };
});

const scenes = SCENES.filter(({ name }) => options.scene.length === 0 || options.scene.includes(name));
const world = createWorld();
if (options.sessions) world.env['REFLECT_TRANSCRIPT_FOLDERS'] = path.resolve(options.sessions);
else makeDemoAgents(world.agentsHome);
const daemon = await startDaemon(world, options.sessions ? [] : ['--demo']);
const { executablePath, args, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
let origin = '';
try {
  await settle(daemon.call, options.sessions !== undefined);
  mkdirSync(FOLDER, { recursive: true });
  for (const viewport of sizes.length > 0 ? sizes : [USUAL]) {
    for (const colorScheme of THEMES) {
      const page = await browser.newPage({
        viewport,
        colorScheme,
        deviceScaleFactor: isForReadme ? 2 : 1, // most who read it have a dense screen
        reducedMotion: 'reduce',
        locale: 'en-GB',
      });
      await page.goto((await daemon.call('ui.code', {})).url);
      await page.getByRole('navigation').waitFor();
      origin = new URL('/', page.url()).href;
      const size = viewport.width === USUAL.width ? '' : `-${viewport.width}x${viewport.height}`;
      for (const scene of scenes)
        await photograph(page, scene, path.join(FOLDER, `${scene.name}-${colorScheme}${size}.png`));
      await page.close();
    }
  }
  if (isForReadme) {
    for (const name of IN_README)
      copyFileSync(path.join(FOLDER, `${name}.png`), path.join(ROOT, 'docs', `${name}.png`));
    writeFileSync(path.join(ROOT, 'docs', STORY), await filmStory(browser));
  }
  console.log(`Written to ${FOLDER}`);
} finally {
  await browser.close();
  await daemon.stop();
  world.remove();
}
