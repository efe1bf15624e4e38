import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm, ROOT } from '../../app/setup.mjs';
import { run, say } from '../../app/terminal.mjs';
import { filledOnce } from '../cache.ts';

export const REFLECT = path.join(ROOT, 'daemon', 'bin', 'reflect.cjs');

export const tally = { passed: 0, failed: 0, skipped: 0 };

export function check(what: string, ok: boolean, seen = ''): void {
  tally[ok ? 'passed' : 'failed']++;
  say(`  ${ok ? '✓' : '✗'} ${what}${ok || !seen ? '' : `\n${seen.trim().replace(/^/gm, '      ')}`}`);
}

/** Installs an npm package once into the cache; returns the problem if it is not available. */
export async function fetched(name: string): Promise<{ bin: string } | { problem: string }> {
  try {
    const folder = await filledOnce(
      `agents/${name.replace(/^@/, '').replaceAll(/[/@]/g, '-')}`,
      async (draft) => {
        const { ok, output } = await npm(['install', '--prefix', draft, '--no-audit', '--no-fund', name], {
          cwd: draft,
        });
        if (!ok) throw new Error(output.split('\n').find((line) => line.includes('error')) ?? output);
      },
    );
    return { bin: path.join(folder, 'node_modules', '.bin') };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export interface Home {
  folder: string;
  project: string;
  environment: Record<string, string>;
}

/** A home with a space in its path, a project and a daemon. */
export async function newHome(more: Record<string, string> = {}): Promise<Home> {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'reflect-agents-')), 'ada lovelace');
  const project = path.join(folder, 'shop');
  mkdirSync(project, { recursive: true });
  // No settings of this machine, and above all no tokens.
  const PATH = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter);
  const home = {
    folder,
    project,
    environment: {
      HOME: folder,
      PATH,
      REFLECT_MODELS_DIR: path.join(folder, 'no-models'),
      NO_COLOR: '1',
      REFLECT_CAPTURE: 'true',
      ...more,
    },
  };
  await run('git', ['init', '--quiet', project]);
  await reflect(home, 'start');
  return home;
}

export async function removeHome(home: Home): Promise<void> {
  await reflect(home, 'stop');
  rmSync(path.dirname(home.folder), { recursive: true, force: true, maxRetries: 5 });
}

export const reflect = ({ environment, project }: Home, ...args: string[]) =>
  run(process.execPath, [REFLECT, ...args], { cwd: project, env: environment });
