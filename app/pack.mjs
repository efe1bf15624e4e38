import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, withNode } from './setup.mjs';
import { run } from './terminal.mjs';

// Beside the sources, for electron-builder takes what it packs from there.
const WEIGHTS = path.join(ROOT, '.cache', 'models');

/**
 * Packs what has been built, with the weights of the models, for the system this runs on.
 * @param {string} node
 * @param {string[]} args for electron-builder
 * @param {{ electronFolder?: string | undefined, stdio: 'inherit' | 'pipe' }} options
 */
export async function pack(node, args, { electronFolder, stdio }) {
  const options = { cwd: ROOT, env: withNode(node), stdio };
  const weights = await run(node, [path.join(ROOT, 'models', 'fetch.ts'), '--dir', WEIGHTS], options);
  if (!weights.ok) return weights;
  const builder = path.join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
  return run(node, [builder, '--publish', 'never', ...unpackedElectron(electronFolder), ...args], options);
}

/**
 * An Electron that is there already instead of the one electron-builder would download.
 * @param {string | undefined} folder
 */
function unpackedElectron(folder) {
  const version = folder && path.join(folder, 'version');
  if (!version || !existsSync(version)) return [];
  return [
    `-c.electronDist=${folder}`,
    `-c.electronVersion=${readFileSync(version, 'utf8').trim().replace(/^v/, '')}`,
  ];
}
