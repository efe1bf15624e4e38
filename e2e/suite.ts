import { availableParallelism } from 'node:os';
import { say, step } from '../app/terminal.mjs';
import { findBrowser } from './browser.ts';
import { type Display, openDisplay } from './display.ts';
import { buildPackage, PACKAGE_VARIABLE } from './packaged/packaged-app.ts';
import { check, endToEnd, skipAll, unitTests } from './steps.ts';
import { add, skipLines, type Tally } from './tally.ts';
import { electronDifference, findTestElectron } from './test-electron.ts';

/** The extent of the run: the checks and pure tests of `npm run check`, all unit tests, or everything. */
const depth = process.argv.includes('--check') ? 'check' : process.argv.includes('--unit') ? 'unit' : 'all';
const tallies: Tally[] = [];
process.on('SIGTERM', () => process.exit(1)); // an exit in order also takes the display away

/** Runs a step, and shows its output only when it is worth reading. */
async function count(label: string, work: () => Promise<Tally>): Promise<void> {
  const tally = await step(label, work);
  const { passed, failed, skipped, output } = tally;
  if (failed > 0) say(`\n${output}\n`);
  say(`  ${passed} passed, ${failed} failed, ${skipped.length} skipped`);
  tallies.push(tally);
}

/** Static checks of the files, the longest first. Cached results are in `.cache/`; CI starts without any. */
const CHECKS = [
  ['node_modules/oxlint/bin/oxlint', '--config', '.config/oxlint.jsonc'],
  [
    'node_modules/eslint/bin/eslint.js',
    '--config',
    '.config/eslint.config.js',
    '--cache',
    '--cache-location',
    '.cache/eslint',
    '--cache-strategy',
    'content',
    'renderer',
  ],
  [
    'node_modules/prettier/bin/prettier.cjs',
    '--check',
    '--cache',
    '--cache-location',
    '.cache/prettier',
    '--log-level',
    'warn',
    '**/*.svelte',
  ],
  [
    'node_modules/svelte-check/bin/svelte-check',
    '--tsconfig',
    'renderer/tsconfig.json',
    '--fail-on-warnings',
  ],
  // Formats as Prettier does, in a second; components are Prettier's.
  ['node_modules/oxfmt/bin/oxfmt', '--check', '.'],
  ['node_modules/knip/bin/knip.js', '--config', '.config/knip.json', '--no-progress', '--no-config-hints'],
] as const;

/** As many tools at a time as there are cores. */
async function checks(): Promise<Tally> {
  const waiting: (readonly string[])[] = [...CHECKS];
  const done: Tally[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [script = '', ...args] = next;
      done.push(await check(script, args));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return add(done);
}

async function browserTests(): Promise<Tally> {
  try {
    await findBrowser();
  } catch (problem) {
    return skipAll('browser', sentence(problem));
  }
  return endToEnd('browser', {});
}

/** The project's tests on a screen of their own, with what `prepare` makes of Electron for them. */
async function desktopTests(
  project: string,
  prepare: (electron: string) => Promise<Record<string, string>>,
): Promise<Tally> {
  let display: Display | undefined;
  try {
    const electron = await findTestElectron();
    display = await openDisplay(electron);
    const env = await prepare(electron);
    return await endToEnd(project, { ...display.env, ...env });
  } catch (problem) {
    // Without Electron or a screen nothing can be said; after that it is ours that failed.
    return display
      ? { passed: 0, failed: 1, skipped: [], output: sentence(problem) }
      : await skipAll(project, sentence(problem));
  } finally {
    display?.close();
  }
}

/** One after the other: those of the desktop share the keyboard, and each daemon of the browser's wants a core. */
async function appTests(): Promise<Tally> {
  const inElectron = await desktopTests('electron', async () => ({}));
  return add([inElectron, await packagedTests(), await browserTests()]);
}

function packagedTests(): Promise<Tally> {
  if (process.platform !== 'linux') return skipAll('packaged', 'the package is driven on Linux only');
  return desktopTests('packaged', async (electron) => ({ [PACKAGE_VARIABLE]: await buildPackage(electron) }));
}

const sentence = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

// Beside each other, here and below: none of them keeps two cores busy to its end.
await count('Format, types, lint, unused code and pure tests', async () =>
  add(await Promise.all([checks(), unitTests('pure')])),
);
if (depth === 'unit') await count('Tests with processes and models', () => unitTests('process', 'models'));
if (depth === 'all')
  await count('Tests with processes and models, in Electron, as packaged and in a browser', async () =>
    add(await Promise.all([unitTests('process', 'models'), appTests()])),
  );
const total = add(tallies);
for (const line of skipLines(total.skipped)) say(line);
const difference = depth === 'all' ? await electronDifference().catch(() => null) : null;
if (difference !== null) say(difference);
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
