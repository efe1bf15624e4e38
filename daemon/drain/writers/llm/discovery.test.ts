import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveAll } from '../../../ports/knob.ts';
import { tempFolder } from '../../../testing/temp-home.ts';
import { withKnobs } from '../../testing.ts';
import { findWriters, settingsFor } from './discovery.ts';
import { WRITER_KNOBS } from './knobs.ts';

/** A folder with a program that prints this when it is asked for its version. */
function folderWith(program: string, script: string): string {
  const folder = tempFolder();
  const file = join(folder, program);
  writeFileSync(file, `#!${process.execPath}\n${script}\n`);
  chmodSync(file, 0o755);
  return folder;
}

async function ollamaWith(models: string[]): Promise<string> {
  const server = createServer(({ url }, response) =>
    response.end(
      JSON.stringify(
        url === '/api/version' ? { version: '0.9.1' } : { models: models.map((name) => ({ name })) },
      ),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function found({ PATH = '', ollama = 'http://127.0.0.1:9', knobs = {} } = {}) {
  const settings = resolveAll(WRITER_KNOBS, withKnobs(knobs));
  const writers = await findWriters({ environment: { PATH }, settings, folder: tempFolder(), ollama });
  return Object.fromEntries(writers.map(({ id, name: _name, ...rest }) => [id, rest]));
}

const NONE = { available: false, version: '', models: [], chosen: false };

test('without any agent there is Reflect itself, which is chosen until a person chooses', async () => {
  expect(await found()).toEqual({
    heuristic: { available: true, version: '', models: [], chosen: true },
    'claude-code': NONE,
    codex: NONE,
    'gemini-cli': NONE,
    ollama: NONE,
  });
});

test('an agent on the PATH is found with its version, with our hooks silenced', async () => {
  const PATH = folderWith(
    'claude',
    "console.log(process.env.REFLECT_DISABLED === '1' && process.argv[2] === '--version' ? '2.1.325 (Claude Code)' : 'no');",
  );
  expect((await found({ PATH }))['claude-code']).toEqual({ ...NONE, available: true, version: '2.1.325' });
});

test('Ollama is found with its models, and not available without one', async () => {
  expect((await found({ ollama: await ollamaWith(['qwen3:8b', 'llama3']) })).ollama).toEqual({
    ...NONE,
    available: true,
    version: '0.9.1',
    models: ['qwen3:8b', 'llama3'],
  });
  expect((await found({ ollama: await ollamaWith([]) })).ollama).toMatchObject({ available: false });
});

test.each(['heuristic', 'claude-code', 'codex', 'gemini-cli', 'ollama'] as const)(
  'once chosen, %s is shown as chosen',
  async (id) => {
    const set = settingsFor(id, 'm').flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    const writers = await found({ knobs: Object.fromEntries(set) as Record<string, string> });
    expect(Object.entries(writers).flatMap(([known, { chosen }]) => (chosen ? [known] : []))).toEqual([id]);
  },
);

test('a command of one’s own is none of these', async () => {
  const knobs = { REFLECT_WRITER: 'command', REFLECT_WRITER_COMMAND: '["my-agent"]' };
  expect(Object.values(await found({ knobs })).some(({ chosen }) => chosen)).toBe(false);
});
