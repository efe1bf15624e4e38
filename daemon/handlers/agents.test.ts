import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentId } from '#contract/agents.ts';
import { AGENTS } from '../agents/all-agents.ts';
import { runDaemon } from '../testing/running-daemon.ts';

const OTHERS = `{
    "model": "opus",
  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] }
}`;

/** A machine with Claude Code, whose settings somebody else wrote into. */
async function withClaude() {
  const daemon = await runDaemon();
  const folder = join(daemon.agentsHome, '.claude');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'settings.json');
  writeFileSync(file, OTHERS);
  const claude = async () => (await daemon.call('agents.list', {})).find(({ id }) => id === 'claude-code');
  return { ...daemon, file, claude, servers: join(daemon.agentsHome, '.claude.json') };
}

test('the contract lists every supported agent', () => {
  expect(AgentId.options).toEqual(AGENTS.map(({ id }) => id));
});

test('a preview changes nothing; connecting writes it with a backup, and disconnecting restores the file to the byte', async () => {
  const { call, claude, file, servers, home } = await withClaude();
  expect(await claude()).toMatchObject({
    present: true,
    files: [
      { file, holds: 'hooks', state: 'absent' },
      { file: servers, holds: 'MCP server', state: 'absent' },
    ],
  });

  const preview = await call('agents.preview', { agent: 'claude-code' });
  expect(preview.files.map(({ change, backup }) => [change, backup])).toEqual([
    ['changed', null],
    ['created', null],
  ]);
  expect(preview.files[0]?.diff).toMatch(/^\+.*reflect\.cjs/m);
  expect(readFileSync(file, 'utf8')).toBe(OTHERS);
  expect(existsSync(servers)).toBe(false);

  const { files } = await call('agents.connect', { agent: 'claude-code' });
  expect(files.map(({ diff }) => diff)).toEqual(preview.files.map(({ diff }) => diff));
  expect(readFileSync(files[0]?.backup ?? '', 'utf8')).toBe(OTHERS);
  expect(await claude()).toMatchObject({ files: [{ state: 'in-place' }, { state: 'in-place' }] });
  // The agent starts us where nobody has named this home.
  expect(readFileSync(file, 'utf8')).toContain(`REFLECT_HOME=${home}`);

  expect(
    (await call('agents.preview', { agent: 'claude-code', action: 'disconnect' })).files.map(
      ({ change }) => change,
    ),
  ).toEqual(['changed', 'removed']);
  await call('agents.disconnect', { agent: 'claude-code' });
  expect(readFileSync(file, 'utf8')).toBe(OTHERS);
  expect(existsSync(servers)).toBe(false);
});

test('an entry of another Reflect counts as outdated, and connecting renews it', async () => {
  const { call, claude, file } = await withClaude();
  await call('agents.connect', { agent: 'claude-code' });
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(process.execPath, '/elsewhere/node'));
  expect((await claude())?.files[0]).toMatchObject({ state: 'outdated' });
  await call('agents.connect', { agent: 'claude-code' });
  expect((await claude())?.files[0]).toMatchObject({ state: 'in-place' });
});

test('an impossible change is refused with the reason, and nothing is written', async () => {
  const { call, claude, file, servers } = await withClaude();
  await expect(call('agents.connect', { agent: 'codex' })).rejects.toThrow(/Codex is not installed/);
  await expect(call('agents.connect', { agent: '../../etc' as 'codex' })).rejects.toMatchObject({
    code: 'bad-input',
  });
  await expect(
    call('agents.connect', { agent: 'claude-code', file: '/etc/passwd' } as { agent: 'claude-code' }),
  ).rejects.toMatchObject({ code: 'bad-input' });
  writeFileSync(file, '{\n  oops\n}');
  expect((await claude())?.files[0]).toMatchObject({
    state: 'unreadable',
    problem: expect.stringContaining('line 2') as string,
  });
  await expect(call('agents.connect', { agent: 'claude-code' })).rejects.toMatchObject({
    code: 'agent-unchanged',
    detail: expect.stringContaining('line 2') as string,
  });
  writeFileSync(file, OTHERS);
  chmodSync(file, 0o400);
  await expect(call('agents.connect', { agent: 'claude-code' })).rejects.toThrow(/read-only/);
  expect(existsSync(servers)).toBe(false);
});
