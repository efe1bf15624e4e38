import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { connectTo } from '../client/connect.ts';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

async function started() {
  const daemon = await runDaemon();
  const cwd = join(daemon.home, 'project');
  mkdirSync(cwd, { recursive: true });
  return { ...daemon, cwd: realpathSync(cwd) };
}

/** The command line as a process of its own, against the daemon of this test, in a folder that is a project. */
function reflect({ home, cwd }: RunningDaemon & { cwd: string }, ...args: string[]): Promise<Ran> {
  return runCli(home, args, { cwd });
}

const pinned = async ({ call, cwd }: RunningDaemon & { cwd: string }) =>
  (await call('recall.inject', { cwd })).text;

test('slots are made, filled, locked, emptied and removed from the command line, and the next session starts with them', async () => {
  const daemon = await started();
  expect((await reflect(daemon, 'slots')).out.match(/· 0\/\d+/g)).toHaveLength(8);
  expect(
    (
      await reflect(
        daemon,
        'slots',
        'create',
        'runbook',
        'Page Ada',
        '--limit',
        '30',
        '--description',
        'When it burns',
      )
    ).out,
  ).toContain('8/30');
  expect((await reflect(daemon, 'slots', 'append', 'runbook', 'Roll back')).code).toBe(0);
  expect(await pinned(daemon)).toContain('### runbook\n> Page Ada\n> Roll back');

  const over = await reflect(daemon, 'slots', 'append', 'runbook', 'x'.repeat(30));
  expect([over.code, over.err]).toEqual([2, expect.stringContaining('use replace to compact first')]);
  await reflect(daemon, 'slots', 'lock', 'runbook');
  const locked = await reflect(daemon, 'slots', 'replace', 'runbook', 'x');
  expect([locked.code, locked.err]).toEqual([1, expect.stringContaining('reflect slots unlock runbook')]);
  await reflect(daemon, 'slots', 'unlock', 'runbook');
  await reflect(daemon, 'slots', 'replace', 'runbook', 'Page Grace');
  expect((await reflect(daemon, 'slots', 'show', 'runbook')).out).toContain('Page Grace');
  expect((await reflect(daemon, 'slots', 'remove', 'runbook', '--for-good')).out).toBe('Removed.\n');
  expect((await reflect(daemon, 'slots', 'show', 'runbook')).code).toBe(1);
  const [newest] = (await reflect(daemon, 'slots', 'history', 'runbook')).out.split('\n').slice(1);
  expect(newest).toMatch(/^\d+ .+ person +remove/);
  await reflect(daemon, 'slots', 'undo', newest?.split(' ')[0] ?? '');
  expect(await pinned(daemon)).toContain('Page Grace');
});

test('an invalid name, an unknown slot and a secret are not stored', async () => {
  const { call } = await started();
  for (const name of ['../x', 'A', '', 'x'.repeat(65), '1a'])
    await expect(call('slots.create', { project: '', name }), name).rejects.toThrow(/not valid/);
  await expect(call('slots.append', { project: 'p', name: 'nowhere', text: 'x' })).rejects.toThrow(/No slot/);
  await expect(call('slots.append', { project: 'p', name: 'guidance', text: '' })).rejects.toThrow(
    /not valid/,
  );
  await expect(call('slots.undo', { changeId: 10 ** 9 })).rejects.toThrow(/No slot change “1000000000”/);
  const { content } = await call('slots.append', {
    project: 'p',
    name: 'guidance',
    text: `Use ${SECRET}`,
    actor: 'codex',
  });
  expect(content).not.toContain(SECRET);
  expect((await call('slots.history', { project: 'p', name: 'guidance' }))[0]).toMatchObject({
    actor: 'codex',
    kind: 'append',
  });
});

test('subscribers get an event for every edit', async () => {
  const { home, call } = await started();
  const open = await connectTo(pathsOf(home));
  const heard: unknown[] = [];
  await open?.connection.subscribe((event) => heard.push(event));
  await call('slots.replace', { project: 'p', name: 'persona', content: 'Ada' });
  await expect.poll(() => heard).toContainEqual({ type: 'slots.changed', project: '', name: 'persona' });
  open?.close();
});

test('skills are listed, found and refreshed from the command line', async () => {
  const daemon = await started();
  expect((await reflect(daemon, 'skills')).out).toBe('No skills installed.\n');
  const folder = join(daemon.agentsHome, '.codex', 'skills', 'proto');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    '---\nname: proto-gen\ndescription: Regenerates the clients\n---\n',
  );
  expect((await reflect(daemon, 'skills', 'refresh')).out).toBe('1 skill: 1 new or changed, 0 gone.\n');
  expect((await reflect(daemon, 'skills', 'list')).out).toContain('proto-gen codex');
  expect((await reflect(daemon, 'skills', 'find', 'clients', 'of', 'proto')).out).toContain(
    'proto-gen codex 3.0',
  );
  expect((await reflect(daemon, 'skills', 'find', 'gardening')).out).toBe('No matching skills.\n');
});
