import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runDaemon, temporaryHome } from '../testing/running-daemon.ts';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const TSC = file('../../node_modules/typescript/bin/tsc');

/** A project that has installed the client from its package, as anyone would. */
async function consumer(): Promise<{ folder: string; packed: string[] }> {
  const [built, folder] = [join(temporaryHome(), 'client'), temporaryHome()];
  await run(process.execPath, [file('pack.ts'), built]);
  const npm = (args: string[]) => run('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
  const { stdout } = await npm(['pack', built, '--json']);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: Array<{ path: string }> }];
  await npm(['install', '--offline', '--no-audit', '--no-fund', `./${filename}`]);
  return { folder, packed: files.map(({ path }) => path).toSorted() };
}

const WRONG = `
import { ReflectClient } from 'reflect-client';
const reflect = new ReflectClient();
const memories: Array<{ qValue: number }> = await reflect.queryMemories({ task: 'x', limit: 3 });
const { hits } = await reflect.call('recall.search', { query: 'x' });
const title: string = hits[0]!.learning.title;
await reflect.queryMemories({ task: 5 });
await reflect.call('recall.searhc', { query: 'x' });
console.log(memories, title);
`;

test('the packed client installs without a network, runs its README and has types that catch mistakes', async () => {
  const { folder, packed } = await consumer();
  expect(packed).toEqual([
    'README.md',
    'client.d.ts',
    'client.js',
    'contract.d.ts',
    'package.json',
    'traced-run.d.ts',
  ]);

  const [, example = ''] = /^```ts\n([^]*?)^```/m.exec(readFileSync(file('README.md'), 'utf8')) ?? [];
  writeFileSync(join(folder, 'example.ts'), example);
  const { home, call } = await runDaemon();
  const { stdout } = await run(process.execPath, ['example.ts'], {
    cwd: folder,
    env: { ...process.env, REFLECT_HOME: home },
  });
  expect(stdout).toContain('your model answers: Handle transient API failures of');
  const [trace] = await call('traces.list', {});
  expect([trace?.result, trace?.retrievedMemoryIds.length]).toEqual(['pass', 1]);

  writeFileSync(join(folder, 'wrong.ts'), WRONG);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ];
  const check = (name: string) =>
    run(process.execPath, [TSC, ...options, name], { cwd: folder }).then(
      () => [],
      (error: unknown) =>
        (error as { stdout: string }).stdout.split('\n').map((line) => line.replace(/^.*error /, '')),
    );
  expect(await check('example.ts')).toEqual([]);
  expect((await check('wrong.ts')).filter(Boolean)).toEqual([
    expect.stringMatching(/^TS2322: Type 'number' is not assignable to type 'string'/) as string,
    expect.stringMatching(/^TS2345: Argument of type '"recall.searhc"'/) as string,
  ]);
}, 180_000);
