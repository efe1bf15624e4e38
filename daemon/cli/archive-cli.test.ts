import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { progressLine } from './commands/archive.ts';

/** The command line as a process of its own, in a folder of the daemon's home, where relative names are looked for. */
function reflect({ home }: RunningDaemon, ...args: string[]): Promise<Ran> {
  const cwd = join(home, 'shell');
  mkdirSync(cwd, { recursive: true });
  return runCli(home, args, { cwd });
}

const note = (title: string, rule = '') => ({ note: { title, rule, scope: 'global' as const } });

test('a knowledge base is exported and imported from the command line', async () => {
  const [here, there] = [await runDaemon(), await runDaemon()];
  for (const title of ['Use pnpm', 'Round half up']) await here.call('learnings.create', note(title));
  await there.call('learnings.create', note('Only there'));
  const same =
    (await here.call('learnings.list', {})).items.find(({ title }) => title === 'Use pnpm')?.id ?? '';

  expect((await reflect(here, 'export', '--dry-run')).out).toMatch(/^2 learnings in 4 files, about .+ kB\n/);
  const made = await reflect(here, 'export', 'team.tar');
  expect(made.out).toMatch(/team\.tar: 2 learnings, 4 files, .+\nsha256 [0-9a-f]{64}\n/);
  expect(await reflect(here, 'export', 'team.tar')).toMatchObject({
    code: 1,
    err: expect.stringContaining('already exists') as string,
  });
  expect((await reflect(here, 'export', 'team.tar', '--overwrite')).out).toBe(made.out);
  const archive = join(here.home, 'shell', 'team.tar');

  const dry = await reflect(there, 'import', archive, '--dry-run', '--force');
  expect(dry.out).toContain(
    '2 new\n  + Use pnpm \n  + Round half up \n1 would be removed, after a backup\n  − Only there \n0 the same',
  );
  expect(await reflect(there, 'import', archive)).toMatchObject({
    code: 1,
    err: expect.stringContaining('`--merge` adds to it') as string,
  });
  expect((await reflect(there, 'import', archive, '--merge')).out).toMatch(
    /^2 added, 0 kept as they are here, 0 the same\nThey wait in the Inbox.*\n`reflect undo \d+` undoes the whole import/,
  );
  await there.call('learnings.update', { id: same, patch: { rule: 'pnpm alone' } });
  expect((await reflect(there, 'import', archive, '--merge')).out).toContain(
    '1 question to decide: `reflect merges`',
  );
  expect((await reflect(there, 'merges')).out).toContain('Use pnpm');
  const forced = await reflect(there, 'import', archive, '--force', '--json');
  expect(JSON.parse(forced.out)).toMatchObject({
    mode: 'force',
    replaced: { total: 2 },
    removed: { total: 2 },
  });
  expect(readdirSync(join(there.home, 'backups')).some((name) => name.startsWith('before-import-'))).toBe(
    true,
  );
});

test('a file that is not an export exits with 1 and the reason, wrong usage with 2', async () => {
  const daemon = await runDaemon();
  await daemon.call('learnings.create', note('Here'));
  const file = join(daemon.home, 'no.tar');
  writeFileSync(file, 'x'.repeat(5_000));
  expect(await reflect(daemon, 'import', file, '--force')).toMatchObject({
    code: 1,
    err: 'reflect: The archive was rejected. Nothing was changed. (it is not a tar, or damaged: a header does not add up)\n',
  });
  expect(await reflect(daemon, 'import', join(daemon.home, 'none.tar'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('none.tar does not exist') as string,
  });
  expect(await reflect(daemon, 'import', file, '--force', '--merge')).toMatchObject({ code: 2 });
  expect((await daemon.call('learnings.list', {})).total).toBe(1);
  expect(readFileSync(file, 'utf8')).toHaveLength(5_000);
});

test('progress is a bar where the end is known, a count where it is not', () => {
  expect(progressLine({ job: 'export', step: 'documents', done: 25, total: 100 })).toBe(
    '█████░░░░░░░░░░░░░░░ 25% documents',
  );
  expect(progressLine({ job: 'import', step: 'comparing', done: 400, total: 0 })).toBe('comparing 400');
});

test('an import from elsewhere is undone as one step, which says how much that was', async () => {
  const daemon = await runDaemon();
  const file = join(daemon.home, 'AGENTS.md');
  writeFileSync(file, '# Rules\n\n- Use tabs, never spaces\n- Always write tests before code\n');
  await reflect(daemon, 'import', file, '--keep');
  expect((await daemon.call('learnings.list', { status: 'active' })).total).toBe(2);
  expect((await reflect(daemon, 'undo')).out).toMatch(/^Undone: created “.+” and 1 more$/m);
  expect((await daemon.call('learnings.list', { status: 'active' })).total).toBe(0);
});
