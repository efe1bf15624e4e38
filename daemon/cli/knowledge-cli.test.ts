import { writeFileSync } from 'node:fs';
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
  const failed = await revised(daemon, [
    { action: 'UPDATE', targetId: learning.id, reason: 'x' },
    { action: 'UPDATE', targetId: 'lrn-nobody-000000', reason: 'x' },
  ]);
  expect(failed).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗ action 1: .*is reverted[\s\S]*✗ action 2: .*lrn-nobody/) as string,
  });
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
  await daemon.call('learnings.create', { note: { title: 'Vite, not Jest', entities } });
  expect((await reflect(daemon, 'maintain', '--dry-run')).out).toContain(
    'Would remove 0 entities and 0 edges without a target, and link 1 isolated entity.',
  );
  expect((await reflect(daemon, 'maintain')).out).toContain('linked 1 isolated entity.');
  expect((await reflect(daemon, 'maintain')).out).toBe('The graph is in order.\n');
});
