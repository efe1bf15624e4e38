import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelsFolder } from '../../platform/paths.ts';
import type { Peer } from './peer.ts';

/** Installs the packages of a peer, once, into a folder of its own. */
export function install({ name, packages, overrides = {} }: Peer, say: (line: string) => void): string {
  const folder = join(modelsFolder(process.env), '..', 'bench', 'peers', name.replace(/[^\w]+/g, '-'));
  const wanted = JSON.stringify({ private: true, dependencies: packages, overrides });
  const [file, installed] = [join(folder, 'package.json'), join(folder, 'node_modules')];
  const isThere = existsSync(installed) && readFileSync(file, 'utf8') === wanted;
  if (isThere || Object.keys(packages).length === 0) return folder;
  mkdirSync(folder, { recursive: true });
  rmSync(installed, { recursive: true, force: true });
  writeFileSync(file, wanted);
  say(`installing ${Object.keys(packages).join(', ')}`);
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    },
  );
  return folder;
}
