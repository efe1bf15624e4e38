import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { readRunFile } from '../platform/lock.ts';
import { pathsOf } from '../platform/paths.ts';
import { bareEnvironment, type Ran, runNode } from './command-line.ts';
import { tempFolder } from './temp-home.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A whole Reflect, as another release of it would lie on a disk. */
export interface Release {
  version: string;
  cli(home: string, ...args: string[]): Promise<Ran>;
  /** Its hook, as an agent would start it, with more time than a busy machine needs. */
  hook(home: string, event: string, payload: object, withinMs?: number): Promise<Ran>;
  /** Starts its daemon and waits until it can be asked. */
  start(home: string): Promise<ChildProcess>;
}

export const thisRelease = (): Release => releaseIn(ROOT);

/** An empty home; whatever daemon runs there in the end is ended. */
function releaseHome(): string {
  const home = join(tempFolder(), 'home');
  onTestFinished(() => {
    const run = readRunFile(pathsOf(home).runFile);
    if (run) process.kill(run.pid, 'SIGKILL');
  });
  mkdirSync(home);
  return home;
}

/** A release in this folder, made of the sources as they are, with another version and other words in its contract. */
export function makeRelease(folder: string, version: string, change = (source: string) => source): Release {
  const isShipped = (file: string) => !/\.test\.ts$|\/(?:bench|hostile|testing)$/.test(file);
  for (const part of ['daemon', 'models'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: isShipped });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
  for (const file of ['daemon/contract/capture-methods.ts', 'daemon/handlers/hooks.ts'])
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  return releaseIn(folder);
}

function releaseIn(folder: string): Release {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const environmentOf = (home: string) => ({
    ...bareEnvironment(),
    HOME: join(home, 'agents'),
    REFLECT_HOME: home,
    REFLECT_AGENTS_HOME: join(home, 'agents'),
    REFLECT_CAPTURE: 'true',
    REFLECT_MODELS_DIR: join(home, 'no-models'),
    REFLECT_HOOK_WAKE: 'off',
  });
  const run = (home: string, file: string, args: string[], input = '', env = {}) =>
    runNode([join(folder, 'daemon', file), ...args], {
      env: { ...environmentOf(home), ...env },
      cwd: home,
      input,
    });
  return {
    version,
    cli: (home, ...args) => run(home, 'cli/main.ts', args),
    hook: (home, event, payload, withinMs = 20_000) =>
      run(home, 'hooks/client.ts', [event, 'claude-code'], JSON.stringify(payload), {
        REFLECT_HOOK_MS: String(withinMs),
        REFLECT_HOOK_START_MS: String(withinMs),
      }),
    async start(home) {
      const daemon = spawn(process.execPath, [join(folder, 'daemon', 'main.ts')], {
        env: environmentOf(home),
        stdio: 'ignore',
      });
      onTestFinished(() => void daemon.kill('SIGKILL'));
      await expect.poll(() => readRunFile(pathsOf(home).runFile)?.pid).toBe(daemon.pid);
      return daemon;
    },
  };
}

/** A hook that has nothing to say. */
export const SILENCE = { code: 0, out: '', err: '' };
export const LESSON = 'Use pnpm here, never npm';

/** A home in which the daemon of a release runs and knows one lesson, about the home's own project. */
export async function homeOf(release: Release) {
  const home = releaseHome();
  mkdirSync(join(home, '.git'));
  const daemon = await release.start(home);
  expect(await release.cli(home, 'add', LESSON)).toMatchObject({ code: 0, err: '' });
  return { home, daemon, running: () => readRunFile(pathsOf(home).runFile) };
}

/** The payload of an agent when a session starts. */
export const start = (home: string) => ({ session_id: crypto.randomUUID(), cwd: home, source: 'startup' });
