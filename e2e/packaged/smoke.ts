// Run by CI on every system after packing: starts the packed app, asks its daemon and its command line tool, and quits
// it. `npm run smoke -- /opt` starts the installed .deb instead.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findDaemon } from '../../app/daemon-process.ts';
import { ROOT } from '../../app/setup.mjs';
import { run, say } from '../../app/terminal.mjs';

const WITHIN_MS = 120_000;
const RELEASE = path.resolve(process.argv[2] ?? path.join(ROOT, '.release'));
const PLACES = [
  { program: 'Reflect/reflect-desktop', resources: 'Reflect/resources' },
  { program: 'linux-unpacked/reflect-desktop', resources: 'linux-unpacked/resources' },
  { program: 'linux-arm64-unpacked/reflect-desktop', resources: 'linux-arm64-unpacked/resources' },
  { program: 'win-unpacked/Reflect.exe', resources: 'win-unpacked/resources' },
  ...['mac', 'mac-arm64'].map((folder) => ({
    program: `${folder}/Reflect.app/Contents/MacOS/Reflect`,
    resources: `${folder}/Reflect.app/Contents/Resources`,
  })),
].map(({ program, resources }) => ({
  program: path.join(RELEASE, program),
  script: path.join(RELEASE, resources, 'app.asar', 'daemon', 'bin', 'reflect.cjs'),
}));

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(200);
  }
  throw new Error(`${what} did not happen within ${WITHIN_MS / 1_000} seconds.`);
}

const packed = PLACES.find(({ program }) => existsSync(program));
if (!packed) throw new Error(`There is no packed app in ${RELEASE}; \`npm run package -- --dir\` makes one.`);
const { program, script } = packed;
const folder = mkdtempSync(path.join(tmpdir(), 'reflect-smoke-'));
const home = path.join(folder, 'home');
const env = { ...process.env, REFLECT_HOME: home, REFLECT_AGENTS_HOME: path.join(folder, 'agents') };
const flags = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const app = spawn(program, [...flags, '--hidden'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
const ended = new Promise<void>((resolve) => app.once('exit', () => resolve()));
try {
  await until('The start of the daemon', async () =>
    (await findDaemon(home)).state === 'running' ? true : undefined,
  );
  const status = await run(program, [script, 'status', '--json'], {
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  });
  if (!status.ok) throw new Error(`The command line tool failed: ${status.output}`);
  const { version, node } = JSON.parse(status.output) as { version: string; node: string };
  await run(program, [...flags, '--quit'], { env });
  await until('Quitting', () => Promise.race([ended.then(() => true), delay(200, undefined)]));
  await until('The end of the daemon', async () =>
    (await findDaemon(home)).state === 'absent' ? true : undefined,
  );
  say(`Reflect ${version} on Node ${node} starts, answers and quits on ${process.platform}-${process.arch}.`);
} finally {
  app.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
