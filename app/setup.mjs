// Everything between a fresh clone and a Reflect that can run. Plain JavaScript without a dependency, for it runs
// on whatever Node a machine has, before anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { carriedNode } from '../daemon/bin/carried-node.cjs';
import { run, say, step } from './terminal.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT_FROM = ['app', 'daemon', 'renderer', 'models', 'package.json', 'package-lock.json'];

/** A sentence for the person at the terminal, who needs no stack trace. */
export class SetUpError extends Error {}

/** Installs, builds and fetches what is missing. @returns {Promise<{ node: string }>} a Node that can run it all */
export async function setUp() {
  await installPackages();
  const node = await findNode();
  await Promise.all([build(node), fetchModels(node)]);
  return { node };
}

async function installPackages() {
  const lock = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  const installed = readOrEmpty(path.join(ROOT, 'node_modules', '.package-lock.json'));
  if (isInstalled(lock, installed)) return;
  const { ok, output } = await step('Installing packages', () => npm(['ci', '--include=dev']));
  if (!ok) throw new SetUpError(`npm could not install the packages:\n${output}`);
}

/**
 * True when every package of the lock file is installed in that version. npm writes the second file as its last
 * act, so an install that was cut short does not count.
 * @param {string} lockText
 * @param {string} installedText
 */
export function isInstalled(lockText, installedText) {
  if (installedText === '') return false;
  const installed = JSON.parse(installedText).packages;
  return Object.entries(JSON.parse(lockText).packages).every(
    ([name, { version, optional, devOptional, link }]) =>
      name === '' || optional || devOptional || link || installed[name]?.version === version,
  );
}

/**
 * The npm that started us, or the one on the path.
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function npm(args, options) {
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], { cwd: ROOT, ...options });
  return run('npm', args, { cwd: ROOT, shell: process.platform === 'win32', ...options });
}

/** Ours runs TypeScript files as they are and loads native modules of N-API 10. @param {string} version */
export function isGoodNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** @returns {Promise<string>} */
async function findNode() {
  if (isGoodNode(process.version)) return process.execPath;
  const carried = carriedNode(ROOT);
  const { ok, output } = carried ? await run(carried, ['--version']) : { ok: false, output: '' };
  if (carried && ok && isGoodNode(output)) return carried;
  throw new SetUpError(
    `Reflect needs Node 22.18 or newer; this is ${process.version}. Install a newer Node, then run the command again.`,
  );
}

/** The environment in which `node` means the given one, for tools that look it up. @param {string} node */
export function withNode(node) {
  const tools = path.join(ROOT, 'node_modules', '.bin');
  return { ...process.env, PATH: [path.dirname(node), tools, process.env['PATH']].join(path.delimiter) };
}

/** @param {string} node */
async function build(node) {
  const stampFile = path.join(ROOT, 'dist', '.built-from');
  const stamp = stampOf(ROOT, BUILT_FROM);
  if (readOrEmpty(stampFile) === stamp) return;
  const { ok, output } = await step('Building', () =>
    npm(['run', '--silent', 'build'], { env: withNode(node) }),
  );
  if (!ok) throw new SetUpError(`The build failed:\n${output}`);
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/**
 * Changes when a source file does, seen by name, size and time: reading 300 stats is quicker than reading the files.
 * @param {string} root
 * @param {string[]} names
 */
export function stampOf(root, names) {
  const hash = createHash('sha256');
  const add = (/** @type {string} */ name) => {
    const file = path.join(root, name);
    if (!existsSync(file)) return;
    const stat = statSync(file);
    if (stat.isDirectory()) {
      for (const entry of readdirSync(file).sort()) add(path.join(name, entry));
    } else if (!name.endsWith('.test.ts')) {
      hash.update(`${name} ${stat.size} ${stat.mtimeMs}\n`);
    }
  };
  for (const name of names) add(name);
  return hash.digest('hex');
}

/** @param {string} node */
async function fetchModels(node) {
  const { ok } = await run(node, [path.join(ROOT, 'models', 'fetch.ts')], { cwd: ROOT, stdio: 'inherit' });
  if (!ok) say('Some models are missing. Reflect works without them and tries again at the next start.');
}

/** @param {string} file */
function readOrEmpty(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
