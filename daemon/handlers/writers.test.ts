import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDaemon, temporaryHome } from '../testing/running-daemon.ts';

test('an installed agent is off until it is chosen, and is chosen by its name', async () => {
  const PATH = temporaryHome();
  writeFileSync(join(PATH, 'codex'), `#!${process.execPath}\nconsole.log('codex-cli 0.166.0');\n`);
  chmodSync(join(PATH, 'codex'), 0o755);
  const { call } = await runDaemon({ PATH });
  const chosen = async () => (await call('writers.list', {})).find((writer) => writer.chosen)?.id;
  expect(await call('writers.list', {})).toContainEqual({
    id: 'codex',
    name: 'Codex',
    available: true,
    version: '0.166.0',
    models: [],
    chosen: false,
  });
  expect([await chosen(), (await call('writers.status', {})).writer]).toEqual(['heuristic', 'heuristic']);
  await call('writers.use', { id: 'codex', model: 'gpt-5' });
  expect(await chosen()).toBe('codex');
  expect(await call('writers.status', {})).toMatchObject({ writer: 'command', model: 'gpt-5', problem: '' });
  await expect(call('writers.use', { id: 'claude-code' })).rejects.toThrow('Claude Code is not available');
  await call('writers.use', { id: 'heuristic' });
  expect((await call('writers.status', {})).writer).toBe('heuristic');
});
