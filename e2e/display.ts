import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../app/terminal.mjs';

// Packages that Electron and its screen need beyond a bare Debian; xdotool presses keys, openbox gives focus.
const PACKAGES = [
  'xvfb',
  'xauth',
  'dbus-x11',
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libnotify4',
  'libxss1',
  'libxtst6',
  'libsecret-1-0',
  'xdotool',
  'openbox',
];
const PROGRAMS = ['Xvfb', 'xdotool', 'openbox'];
const READY_WITHIN_MS = 15_000;

export interface Display {
  env: Record<string, string>;
  close(): void;
}

/** A screen of our own, so that tests neither need a desktop nor disturb one. */
export async function openDisplay(electron: string): Promise<Display> {
  if (process.platform !== 'linux') return { env: {}, close: () => undefined };
  await installMissing(electron);
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Xvfb did not start.')), READY_WITHIN_MS);
    server.once('error', reject);
    server.stdio[3]?.once('data', (chunk: Buffer) => {
      clearTimeout(timer);
      resolve(String(chunk).trim());
    });
  });
  const env = { DISPLAY: `:${number}` };
  const windowManager = spawn('openbox', [], { env: { ...process.env, ...env }, stdio: 'ignore' });
  const close = () => {
    windowManager.kill();
    server.kill();
  };
  process.once('exit', close);
  return { env, close };
}

/** Names what to install; CI, or whoever sets REFLECT_E2E_INSTALL, has it installed. */
async function installMissing(electron: string): Promise<void> {
  const missing = [...PROGRAMS.filter((name) => !isOnPath(name)), ...(await missingLibraries(electron))];
  if (missing.length === 0) return;
  const command = `apt-get install ${PACKAGES.join(' ')}`;
  if (!mayInstall()) throw new Error(`Missing here: ${missing.join(', ')}. Install with: ${command}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const packages = await Promise.all(PACKAGES.map(currentName));
  const { ok, output } = await run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env },
  );
  if (!ok)
    throw new Error(`Debian's packages could not be installed (${command}): ${output.split('\n').at(-1)}`);
}

/** A test run changes nobody's system unasked, even as root. */
function mayInstall(): boolean {
  const asked = Boolean(process.env['CI'] || process.env['REFLECT_E2E_INSTALL']);
  return asked && process.getuid?.() === 0 && isOnPath('apt-get');
}

async function missingLibraries(electron: string): Promise<string[]> {
  const { output } = await run('ldd', [electron]);
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, library = '']) => library);
}

/** Debian 13 renamed libraries whose time grew to 64 bits. */
async function currentName(name: string): Promise<string> {
  const { ok } = await run('apt-cache', ['show', `${name}t64`]);
  return ok ? `${name}t64` : name;
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, name)));
}
