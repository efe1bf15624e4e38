import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect } from '@playwright/test';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../app/setup.mjs';
import { run } from '../../app/terminal.mjs';
import { ask, test } from './fixtures.ts';
import { executable, resources, startPackaged, traceNetwork } from './packaged-app.ts';

const NOTES = [
  { title: 'Run the database migrations before starting the server', rule: 'Migrate first.' },
  { title: 'Compress the photographs before they are uploaded', rule: 'Use the image optimiser.' },
  { title: 'Release only on Tuesdays', rule: 'Never on a Friday.' },
];
const QUESTION = 'the schema has to be upgraded prior to booting the backend';

test('on a bare machine the app learns and recalls by meaning without any network access', async ({
  world,
}) => {
  const trace = traceNetwork(path.join(world.repository, 'network.trace'));
  const app = await startPackaged(world, { through: trace?.through ?? [] });
  await app.page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(app.page.getByText('Nothing learned yet')).toBeVisible();
  for (const note of NOTES) await ask(app, 'learnings.create', { note: { ...note, scope: 'global' } });
  await expect
    .poll(async () => (await ask(app, 'status', {})).index)
    .toMatchObject({ state: 'ready', waiting: 0 });
  const status = await ask(app, 'status', {});
  expect(status).toMatchObject({ home: world.home, learnings: NOTES.length });
  expect(status.index.vectors).toBeGreaterThanOrEqual(NOTES.length);

  // No word in common: only the vectors of the models in the package can know.
  const { hits } = await ask(app, 'recall.search', { query: QUESTION, global: true, quiet: true });
  expect(hits[0]?.learning.title).toBe(NOTES[0]?.title);
  await expect(app.page.getByText(NOTES[0]?.title ?? '').first()).toBeVisible();
  await app.quit();

  const fetched = readdirSync(world.agentsHome, { recursive: true }).filter((file) =>
    String(file).endsWith('.onnx'),
  );
  expect(fetched).toEqual([]);
  test.skip(
    trace === undefined,
    'strace is missing or may not trace, and nothing else shows what is asked of the network',
  );
  expect(trace?.asked()).toEqual([]);
});

test('the trace would show a DNS lookup', async ({ world }) => {
  const trace = traceNetwork(path.join(world.repository, 'network.trace'));
  test.skip(
    trace === undefined,
    'strace is missing or may not trace, and nothing else shows what is asked of the network',
  );
  const [command = '', ...args] = trace?.through ?? [];
  await run(command, [
    ...args,
    process.execPath,
    '-e',
    "require('node:net').connect({ host: '192.0.2.1', port: 53, timeout: 50 }).on('timeout', () => process.exit()).on('error', () => process.exit())",
  ]);
  expect(trace?.asked()).toHaveLength(1);
});

test('the fuses are set as configured', async () => {
  const wire = await getCurrentFuseWire(executable());
  const off = [
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ];
  const on = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ];
  // The wire is of characters, whose codes these are.
  expect(off.map((fuse) => String.fromCharCode(Number(wire[fuse])))).toEqual(off.map(() => '0'));
  expect(on.map((fuse) => String.fromCharCode(Number(wire[fuse])))).toEqual(on.map(() => '1'));
});

test('no flag and no NODE_OPTIONS lets a debugger or other code into the main process', async ({ world }) => {
  const app = await startPackaged(world, {
    env: { NODE_OPTIONS: '--inspect=0 --require=/no/such/file' },
    flags: ['--inspect=0', '--inspect-brk=0'],
  });
  await expect(app.page.getByRole('navigation')).toBeVisible();
  await app.quit();
  expect(app.said()).not.toContain('Debugger listening');
});

test('only files needed at run time are packed', () => {
  const files = listPackage(path.join(resources(), 'app.asar'), { isPack: false });
  const packages = new Set(
    files.flatMap((file) => /^\/node_modules\/((?:@[^/]+\/)?[^@/][^/]*)\//.exec(file)?.[1] ?? []),
  );
  const native = (name: string) => new RegExp(`^${name}-${process.platform}-${process.arch}`);
  expect([...packages].filter((name) => !native('sqlite-vec').test(name)).sort()).toEqual([
    'better-sqlite3',
    'onnxruntime-common',
    'onnxruntime-node',
    'sqlite-vec',
  ]);
  expect(
    files.filter((file) => /\.(ts|mts|cts|svelte|map|test\.js)$|\/(e2e|docs|testing|__tests__)\//.test(file)),
  ).toEqual([]);
  expect(files).toContain('/dist/app/main.js');
  expect(files).toContain('/daemon/bin/reflect.cjs');
});

test('the models are packed and match the manifest', () => {
  const { models } = JSON.parse(readFileSync(path.join(ROOT, 'models', 'manifest.json'), 'utf8')) as {
    models: { id: string; role: string; files: { name: string; sha256: string }[] }[];
  };
  for (const { id, files } of models.filter(({ role }) => role === 'embedder')) {
    for (const { name, sha256 } of files) {
      expect(
        createHash('sha256')
          .update(readFileSync(path.join(resources(), 'models', id, name)))
          .digest('hex'),
        `${id}/${name}`,
      ).toBe(sha256);
    }
  }
  expect(readdirSync(path.join(resources(), 'models'))).toEqual(
    expect.arrayContaining(['NOTICE', 'manifest.json']),
  );
});

test('its command line tool is installed on the PATH and serves terminals, hooks and MCP clients', async ({
  world,
}) => {
  const commands = path.join(world.agentsHome, '.local', 'bin');
  mkdirSync(commands, { recursive: true });
  const app = await startPackaged(world);
  await ask(app, 'learnings.create', {
    note: { title: 'Use pnpm here, never npm', rule: 'Use pnpm.', scope: 'global' },
  });
  // The command behind "Install command line tool" in the tray; there is no tray to click here.
  const installed = await run(
    executable(),
    [path.join(resources(), 'app.asar', 'dist', 'daemon', 'cli.js'), 'install-cli', '--json'],
    { env: { ...world.env, ELECTRON_RUN_AS_NODE: '1' } },
  );
  expect(JSON.parse(installed.output)).toMatchObject({ file: path.join(commands, 'reflect'), onPath: true });

  // The .deb puts this one on everybody's path.
  const carried = await run(path.join(resources(), '..', 'bin', 'reflect'), ['status', '--json'], {
    env: world.env,
  });
  expect(JSON.parse(carried.output)).toMatchObject({ home: world.home });

  const reflect = (args: string[], stdin = '') =>
    speak(path.join(commands, 'reflect'), args, stdin, world.env, world.repository);
  expect(JSON.parse(await reflect(['status', '--json']))).toMatchObject({ home: world.home, learnings: 1 });
  const start = {
    session_id: 'one',
    transcript_path: '/none.jsonl',
    cwd: world.repository,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  expect(await reflect(['hook', 'SessionStart'], JSON.stringify(start))).toContain(
    'Use pnpm here, never npm',
  );
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  expect(JSON.parse(await reflect(['mcp'], `${JSON.stringify(initialize)}\n`))).toMatchObject({
    id: 1,
    result: { serverInfo: { name: 'reflect' } },
  });
  await app.quit();
});

/** A command's output for the given input, once it ends. */
function speak(
  command: string,
  args: string[],
  stdin: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk));
    child.once('error', reject);
    child.once('close', () => resolve(said));
    child.stdin.end(stdin);
  });
}
