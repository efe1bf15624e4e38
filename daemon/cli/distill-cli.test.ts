import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

const PROTO = [
  'Regenerate the clients after a proto edit',
  'Regenerate clients after every proto edit',
  'After a proto edit regenerate all clients',
];

async function started() {
  const daemon = await runDaemon();
  const cwd = join(daemon.home, 'project');
  mkdirSync(cwd, { recursive: true });
  return { ...daemon, cwd: realpathSync(cwd) };
}
type Started = Awaited<ReturnType<typeof started>>;

function reflect({ home, cwd }: RunningDaemon & { cwd: string }, ...args: string[]): Promise<Ran> {
  return runCli(home, args, { cwd });
}

const learn = ({ call, cwd }: Started, title: string, session: string) =>
  call('learnings.create', {
    note: { title, project: cwd, type: 'correction', category: 'tools', provenance: { session } },
  });

test('learnings are drawn together from the command line: a principle, an observation, conventions, a fact', async () => {
  const daemon = await started();
  expect((await reflect(daemon, 'distill')).out).toContain('0 of 30 learnings since the last pass');
  for (const [index, title] of PROTO.entries()) await learn(daemon, title, `s${index}`);
  for (const session of ['s1', 's2'])
    await learn(daemon, `Use pnpm for installing packages ${session}`, session);

  const { out } = await reflect(daemon, 'distill', '--now');
  expect(out).toContain('2 new observations');
  expect(out).toContain('1 principle proposed');
  expect((await daemon.call('status', {})).attention).toBe(1);
  const [{ principle } = { principle: { id: '' } }] = await daemon.call('principles.list', {});
  expect((await reflect(daemon, 'principles')).out).toContain(principle.id);
  expect((await reflect(daemon, 'principles', 'accept', principle.id, '--title', 'Protos first')).code).toBe(
    0,
  );
  expect(await daemon.call('learnings.get', { id: principle.id })).toMatchObject({
    title: 'Protos first',
    status: 'active',
  });
  expect((await reflect(daemon, 'principles', 'accept', principle.id)).err).toContain(
    'not a principle that waits',
  );

  expect((await reflect(daemon, 'observations')).out).toMatch(/pnpm.+×2 · tools/);
  expect((await reflect(daemon, 'persona')).out).toMatch(/package_manager\s+17%\s+pnpm/);
  expect((await reflect(daemon, 'conventions')).out).toContain('_(evidence ×2)_');
  for (const [command, printed] of [
    ['observations', 'pnpm'],
    ['persona', 'package_manager'],
    ['conventions', '_(evidence ×2)_'],
  ] as const) {
    const elsewhere = { ...daemon, cwd: daemon.home };
    expect((await reflect(elsewhere, command)).out).not.toContain(printed);
    expect((await reflect(elsewhere, command, '--project', daemon.cwd)).out).toContain(printed);
  }
  const { path } = await daemon.call('conventions.get', { cwd: daemon.cwd });
  expect((await daemon.call('recall.inject', { cwd: daemon.cwd })).text).toContain(
    `The conventions of project are in ${path}`,
  );

  const [observation] = await daemon.call('observations.list', { cwd: daemon.cwd });
  expect((await reflect(daemon, 'observations', 'retire', observation?.id ?? '')).out).toContain('Done.');
  // Stale until it is regenerated, and injected only while it is up to date.
  expect((await daemon.call('recall.inject', { cwd: daemon.cwd })).text).not.toContain('The conventions of');
  expect((await reflect(daemon, 'observations', 'history', observation?.id ?? '')).out).toMatch(
    /DELETE[\s\S]+CREATE/,
  );
  expect((await reflect(daemon, 'observations', 'retire', 'obs-none')).code).toBe(1);
});

test('conventions are linked into the repository, and what is there is never replaced', async () => {
  const daemon = await started();
  const link = join(daemon.cwd, 'CONVENTIONS.md');
  expect((await reflect(daemon, 'conventions', '--link')).out).toContain(`linked from ${link}`);
  expect(readFileSync(link, 'utf8')).toContain('0 conventions');
  expect((await reflect(daemon, 'conventions', '--unlink')).code).toBe(0);
  expect(existsSync(link)).toBe(false);
  expect((await reflect(daemon, 'conventions', '--unlink')).err).toContain('not a link');
});

test('a learning is previewed, promoted to a skill, found, and demoted', async () => {
  const daemon = await started();
  const { learning } = await learn(daemon, PROTO[0] ?? '', 's');
  const args = ['skills', 'promote', learning.id, '--agent', 'codex', '--here', '--name', 'protos'];
  const file = join(daemon.cwd, '.codex', 'skills', 'protos', 'SKILL.md');
  expect((await reflect(daemon, ...args, '--preview')).out).toContain('name: protos');
  expect(existsSync(file)).toBe(false);
  expect((await reflect(daemon, ...args)).out).toContain(`Written to ${file}`);
  expect((await reflect(daemon, 'skills', 'find', 'proto', 'clients')).out).toContain(file);
  await daemon.call('learnings.update', { id: learning.id, patch: { rule: 'Run make protos.' } });
  expect((await reflect(daemon, 'skills', 'stale')).out).toMatch(
    /protos.+stale[\s\S]+Regenerate the clients/,
  );
  await daemon.call('distill.run', {});
  expect(readFileSync(file, 'utf8')).toContain('Run make protos.');
  expect((await reflect(daemon, 'skills', 'demote', file)).out).toContain('Removed.');
  expect(existsSync(file)).toBe(false);
  const wrong = await reflect(daemon, 'skills', 'promote', learning.id, '--agent', 'emacs');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('emacs does not support skills')]);
});
