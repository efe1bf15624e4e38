import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

function reflect({ home }: RunningDaemon, ...args: string[]): Promise<Ran> {
  return runCli(home, args);
}

async function revised(daemon: RunningDaemon, actions: unknown) {
  const file = join(daemon.home, 'actions.json');
  writeFileSync(file, typeof actions === 'string' ? actions : JSON.stringify(actions));
  return reflect(daemon, 'revise', file);
}

test('a learning is added to the project of the folder or a named one, and to all only when asked', async () => {
  const daemon = await runDaemon();
  const cwd = join(realpathSync(daemon.home), 'shop');
  mkdirSync(cwd);
  const added = async (folder: string, ...flags: string[]) => {
    const ran = await runCli(daemon.home, ['add', `Round ${flags.length} half up`, ...flags, '--json'], {
      cwd: folder,
      env: { HOME: daemon.home },
    });
    return ran.code === 0 ? (JSON.parse(ran.out) as { learning: object }).learning : ran;
  };
  expect(await added(cwd)).toMatchObject({ project: cwd, scope: 'project' });
  expect(await added(cwd, '--project', 'acme/bank')).toMatchObject({
    project: 'acme/bank',
    scope: 'project',
  });
  expect(await added(daemon.home, '--global')).toMatchObject({ project: '', scope: 'global' });
  const refused = '`--project` names one, `--global` means all';
  expect(await added(daemon.home)).toMatchObject({
    code: 2,
    err: expect.stringContaining(refused) as string,
  });

  const { call } = daemon;
  const note = { title: 'Round totals half up' };
  await expect(call('learnings.create', { note })).rejects.toThrow(/name the project .* or set its scope/);
  await expect(call('learnings.create', { note, cwd: '/' })).rejects.toThrow('/ is not in a project');
  expect(await call('learnings.create', { note, cwd })).toMatchObject({
    learning: { project: cwd, scope: 'project' },
  });
});

test('a file of actions is carried out, and ends with 1 when one of them cannot be', async () => {
  const daemon = await runDaemon();
  const { learning } = await daemon.call('learnings.create', {
    note: { title: 'Install with npm', scope: 'global' },
  });
  const done = await revised(daemon, [
    { action: 'CREATE', content: 'Install with pnpm', reason: 'said' },
    { action: 'DELETE', targetId: learning.id, reason: 'moved on' },
  ]);
  expect(done).toMatchObject({ code: 0, out: '1 created, 0 updated, 1 deleted, 0 skipped\n' });
  const { items } = await daemon.call('learnings.list', { text: 'pnpm' });
  expect(items).toMatchObject([{ project: realpathSync(daemon.home), scope: 'project' }]);
  const unplaced = [{ action: 'CREATE', content: 'Install with yarn', reason: 'said' } as const];
  await expect(daemon.call('knowledge.revise', { actions: unplaced })).rejects.toThrow(/name the project/);
  const failed = await revised(daemon, [
    { action: 'UPDATE', targetId: learning.id, reason: 'x' },
    { action: 'UPDATE', targetId: 'lrn-nobody-000000', reason: 'x' },
  ]);
  expect(failed).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗ action 1: .*is reverted[\s\S]*✗ action 2: .*lrn-nobody/) as string,
  });
});

test('an action changes what it names and nothing else', async () => {
  const daemon = await runDaemon();
  const kept = { category: 'tools', confidence: 0.9, project: 'acme/shop', forgetAfter: 4_102_444_800_000 };
  const note = { title: 'Install with pnpm', ...kept };
  await revised(daemon, [{ action: 'CREATE', note, reason: 'said' }]);
  const [{ id } = { id: '' }] = (await daemon.call('learnings.list', {})).items;
  expect(await daemon.call('learnings.get', { id })).toMatchObject(kept);
  await revised(daemon, [{ action: 'UPDATE', targetId: id, content: 'Install with pnpm 9', reason: 'said' }]);
  expect(await daemon.call('learnings.get', { id })).toMatchObject({ ...kept, rule: 'Install with pnpm 9' });
});

test.each([
  ['[{', /actions\.json/],
  ['[{"action":"EAT"}]', /action/],
  ['[{"action":"CREATE","content":"x"}]', /reason/],
  ['[]', /actions/],
])('%s is refused as wrong usage, and nothing is done', async (actions, reason) => {
  const daemon = await runDaemon();
  expect(await revised(daemon, actions)).toMatchObject({
    code: 2,
    err: expect.stringMatching(reason) as string,
  });
  expect((await daemon.call('learnings.list', {})).total).toBe(0);
});

test('expired learnings are listed, forgotten and restored', async () => {
  const daemon = await runDaemon({ REFLECT_FORGET_EXPIRED: 'false' });
  const { learning } = await daemon.call('learnings.create', {
    note: { title: 'Rotate the key on Monday', scope: 'global', forgetAfter: 1_000 },
  });
  expect((await reflect(daemon, 'forget', '--dry-run')).out).toMatch(
    /1970-01-01 +Rotate the key on Monday\n1 learning would be forgotten/,
  );
  expect((await daemon.call('learnings.get', { id: learning.id })).status).toBe('active');
  expect((await reflect(daemon, 'forget')).out).toContain('1 learning forgotten');
  expect((await reflect(daemon, 'forget')).out).toBe('No learnings have expired.\n');
  await reflect(daemon, 'undo');
  expect((await daemon.call('learnings.get', { id: learning.id })).status).toBe('active');
  expect(await reflect(daemon, 'forget', learning.id)).toMatchObject({ code: 2 });
});

test('the graph is repaired; when it is in order, the command says so', async () => {
  const daemon = await runDaemon();
  const entities = ['Vite', 'Jest'].map((name) => ({ name, type: 'tool' as const }));
  await daemon.call('learnings.create', { note: { title: 'Vite, not Jest', entities, scope: 'global' } });
  expect((await reflect(daemon, 'maintain', '--dry-run')).out).toContain(
    'Would remove 0 entities and 0 edges without a target, and link 1 isolated entity.',
  );
  expect((await reflect(daemon, 'maintain')).out).toContain('linked 1 isolated entity.');
  expect((await reflect(daemon, 'maintain')).out).toBe('The graph is in order.\n');
});
