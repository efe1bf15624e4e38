import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeSession } from './testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from './testing/running-daemon.ts';

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

function repository(remote = 'git@github.com:acme/billing-svc.git', branch = 'main'): string {
  const folder = join(temporaryHome(), 'billing-svc');
  execFileSync('git', ['init', '--quiet', `--initial-branch=${branch}`, folder]);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', remote]);
  return folder;
}

function transcriptOf({ agentsHome }: RunningDaemon, session: ClaudeSession): string {
  const folder = join(agentsHome, '.claude', 'projects', '-home-ada-billing-svc');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${session.id}.jsonl`);
}

const correct = (session: ClaudeSession, more = '') =>
  session.human('Bump the proto') +
  session.agent('I bumped payments.proto and pushed.') +
  session.human(`no, don't bump payments.proto without regenerating the clients, run make proto-gen${more}`) +
  session.agent("You're right. I will always run `make proto-gen` after a .proto edit.");

const list = async ({ call }: RunningDaemon) => (await call('learnings.list', {})).items;

test('a correction in a transcript becomes a learning that another session is told', async () => {
  const daemon = await runDaemon();
  const cwd = repository();
  const session = new ClaudeSession({ cwd });
  writeFileSync(transcriptOf(daemon, session), correct(session));

  await expect.poll(() => list(daemon)).toHaveLength(1);
  const [row] = await list(daemon);
  const learning = await daemon.call('learnings.get', { id: row?.id ?? '' });
  expect(learning).toMatchObject({
    title: "Don't bump payments.proto without regenerating the clients, run make proto-gen",
    problem: 'I bumped payments.proto and pushed.',
    project: 'github.com/acme/billing-svc',
    branch: null,
    provenance: { agent: 'claude-code', session: session.id },
  });
  expect(learning.tags).toContain('payments.proto');

  const found = await daemon.call('recall.search', { query: 'regenerate clients', cwd });
  expect(found.hits.map((hit) => hit.learning.id)).toEqual([learning.id]);
  const { output } = await daemon.call('hook.run', {
    agent: 'claude-code',
    event: 'SessionStart',
    payload: { cwd, session_id: 'another' },
  });
  expect(
    (JSON.parse(output) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
      .additionalContext,
  ).toContain(learning.title);
  const excerpt = await daemon.call('learnings.excerpt', { id: learning.id });
  expect(excerpt.turns.filter(({ trigger }) => trigger)).toHaveLength(1);
  expect(excerpt.sessionTitle).toBe('Bump the proto');
  expect(excerpt.turns.at(-1)).toMatchObject({
    role: 'agent',
    text: expect.stringContaining('make proto-gen') as string,
  });

  const elsewhere = repository('https://github.com/acme/other.git');
  expect(
    await daemon.call('hook.run', {
      agent: 'claude-code',
      event: 'SessionStart',
      payload: { cwd: elsewhere },
    }),
  ).toEqual({ output: '' });
});

test('a secret said in a correction is nowhere in the home afterwards, and its removal is counted', async () => {
  const daemon = await runDaemon();
  const session = new ClaudeSession({ cwd: repository() });
  writeFileSync(
    transcriptOf(daemon, session),
    correct(session, ` with ${SECRET} <private>the plan of Ada</private>`),
  );
  await expect.poll(() => list(daemon)).toHaveLength(1);
  expect((await daemon.call('status', {})).redactions).toMatchObject({
    'github token': expect.any(Number) as number,
    'private span': expect.any(Number) as number,
  });
  await daemon.stop();
  const files = readdirSync(daemon.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const content = readFileSync(join(file.parentPath, file.name)).toString('latin1');
    expect(content.includes(SECRET) || content.includes('plan of Ada'), file.name).toBe(false);
  }
});

test('a restart reads nothing twice and misses nothing', async () => {
  const first = await runDaemon();
  const cwd = repository();
  const session = new ClaudeSession({ cwd });
  const path = transcriptOf(first, session);
  writeFileSync(path, correct(session));
  await expect.poll(() => list(first)).toHaveLength(1);
  await first.stop();
  appendFileSync(
    path,
    session.human('no, never edit files under gen/, they are generated') +
      session.agent("You're right, reverting."),
  );
  const second = await runDaemon({ REFLECT_AGENTS_HOME: first.agentsHome }, first.home);
  await expect.poll(() => list(second)).toHaveLength(2);
  expect((await second.call('capture.moments', {})).map(({ state }) => state)).toEqual(['kept', 'kept']);
  expect((await second.call('status', {})).sources[0]).toMatchObject({ files: 1, records: 6, badLines: 0 });
});

test('the same words in a resumed copy of the session give no second learning', async () => {
  const daemon = await runDaemon();
  const session = new ClaudeSession({ cwd: repository() });
  const lines = correct(session);
  writeFileSync(transcriptOf(daemon, session), lines);
  writeFileSync(transcriptOf(daemon, new ClaudeSession({ cwd: '/', session: 'resumed' })), lines);
  await expect.poll(async () => (await daemon.call('status', {})).sources[0]?.files).toBe(2);
  await expect.poll(() => list(daemon)).toHaveLength(1);
  expect((await daemon.call('status', {})).queue).toBe(0);
});

test('while capture is paused nothing is read; resumed, everything is', async () => {
  const daemon = await runDaemon();
  await daemon.call('capture.pause', {});
  const session = new ClaudeSession({ cwd: repository() });
  writeFileSync(transcriptOf(daemon, session), correct(session));
  // Pausing again has the capture thread report what it found: the transcript is noticed and waits.
  const waiting = async () => {
    await daemon.call('capture.pause', {});
    const { progress } = await daemon.call('status', {});
    return progress.filesTotal - progress.filesDone;
  };
  await expect.poll(waiting).toBe(1);
  expect(await list(daemon)).toEqual([]);
  expect(await daemon.call('status', {})).toMatchObject({ capture: 'paused' });
  await daemon.call('capture.resume', {});
  await expect.poll(() => list(daemon)).toHaveLength(1);
});

test('what was noticed can be dismissed and restored, and its learning goes with it', async () => {
  const daemon = await runDaemon();
  const session = new ClaudeSession({ cwd: repository() });
  writeFileSync(transcriptOf(daemon, session), correct(session));
  await expect.poll(() => list(daemon)).toHaveLength(1);
  const [moment] = await daemon.call('capture.moments', {});
  await daemon.call('capture.dismiss', { id: moment?.id ?? 0 });
  expect((await daemon.call('learnings.list', { status: 'active' })).items).toEqual([]);
  expect((await daemon.call('capture.moments', {}))[0]).toMatchObject({ state: 'dismissed' });
  await daemon.call('capture.dismiss', { id: moment?.id ?? 0, dismissed: false });
  expect((await daemon.call('capture.moments', {}))[0]).toMatchObject({ state: 'kept' });
  expect((await daemon.call('learnings.list', { status: 'active' })).total).toBe(1);
});
