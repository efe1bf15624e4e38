import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ROOT } from '../../app/setup.mjs';
import { pack } from '../../app/pack.mjs';
import type { World } from '../world.ts';

const OUTPUT = path.join(ROOT, '.cache', 'packaged');

/** The variable that tells the tests where `buildPackage` put the app. */
export const PACKAGE_VARIABLE = 'REFLECT_PACKAGED_APP';

/** Packs what has been built around the given Electron, as a folder, and returns that. */
export async function buildPackage(electron: string): Promise<string> {
  const { ok, output } = await pack(process.execPath, ['--linux', 'dir', `-c.directories.output=${OUTPUT}`], {
    electronFolder: path.dirname(electron),
    stdio: 'pipe',
  });
  const folder = path.join(OUTPUT, 'linux-unpacked');
  if (!ok || !existsSync(path.join(folder, 'reflect-desktop')))
    throw new Error(`The package could not be built:\n${output}`);
  return folder;
}

const packageFolder = (): string =>
  z
    .string({ error: `${PACKAGE_VARIABLE} does not say where the packed app is` })
    .parse(process.env[PACKAGE_VARIABLE]);
export const executable = (): string => path.join(packageFolder(), 'reflect-desktop');
export const resources = (): string => path.join(packageFolder(), 'resources');

export interface PackagedApp {
  page: Page;
  /** Ends the app as a desktop does when its person logs out. */
  quit(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>;
  /** Its error output. */
  said(): string;
}

interface Start {
  env?: NodeJS.ProcessEnv;
  flags?: string[];
  /** A command that runs it. */
  through?: string[];
}

/** Its fuses let nobody attach to the main process, so its window is driven as any Chromium's. */
export async function startPackaged(
  world: World,
  { env = {}, flags = [], through = [] }: Start = {},
): Promise<PackagedApp> {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const [command = '', ...args] = [
    ...through,
    executable(),
    ...sandbox,
    '--remote-debugging-port=0',
    ...flags,
  ];
  const child = spawn(command, args, { env: { ...world.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk));
  const address = await debuggerAddress(child);
  // Attached to a page that is still loading, Playwright never hears of it again.
  await expect
    .poll(() => targets(address))
    .toContainEqual(expect.objectContaining({ title: expect.stringMatching(/· Reflect$/) }));
  const browser = await chromium.connectOverCDP(address);
  return {
    page: mainPage(browser),
    ended,
    said: () => said,
    async quit() {
      child.kill('SIGTERM');
      await ended;
      await browser.close();
    },
  };
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The packaged app ended with ${code}: ${said}`)));
    child.once('error', reject);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
  });
}

async function targets(address: string): Promise<{ title: string; url: string }[]> {
  const answer = await fetch(`http://${new URL(address).host}/json/list`);
  return (await answer.json()) as { title: string; url: string }[];
}

function mainPage(browser: Browser): Page {
  const page = browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((each) => each.url().startsWith('app://reflect/'));
  if (!page) throw new Error('The packaged app has no window.');
  return page;
}

/** Network addresses the traced processes contacted, other than local sockets and this machine. */
export interface NetworkTrace {
  through: string[];
  asked(): string[];
}

/** Undefined where processes may not be traced. */
export function traceNetwork(file: string): NetworkTrace | undefined {
  const strace = ['strace', '-D', '-f', '-qq', '-e', 'trace=connect,sendto', '-o', file];
  const [command = '', ...args] = strace;
  if (spawnSync(command, [...args, 'true']).status !== 0) return undefined;
  return {
    through: strace,
    asked: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(
          (line) => /sa_family=AF_INET6?\b/.test(line) && !/inet_addr\("127\.|"::1"|"::ffff:127\./.test(line),
        ),
  };
}
