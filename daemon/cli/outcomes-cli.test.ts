import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failedAttempt, passedAttempt } from '../outcomes/loops/testing.ts';
import { gitRepository } from '../testing/git-repository.ts';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

async function started() {
  const daemon = await runDaemon();
  const folder = join(daemon.home, 'project');
  mkdirSync(folder, { recursive: true });
  return { ...daemon, cwd: realpathSync(folder) };
}

function reflect({ home, cwd }: RunningDaemon & { cwd: string }, ...args: string[]): Promise<Ran> {
  return runCli(home, args, { cwd });
}

test('memories are created, found, added to a task and reviewed from the command line', async () => {
  const daemon = await started();
  const made = await reflect(
    daemon,
    'memories',
    'create',
    'Parse the upload',
    '--result',
    'fail',
    '--summary',
    'Parsed an upload',
    '--guidance',
    'Check the encoding first',
    '--metadata',
    'domain=crm',
    '--metadata',
    'level=2',
  );
  expect([made.code, made.err]).toEqual([0, '']);
  const id = made.out.trim();
  expect(
    (await reflect(daemon, 'memories', 'query', 'parse', 'the', 'upload', '--metadata', 'level=2')).out,
  ).toContain(`${id} · failed · q 0.50`);
  expect(
    (await reflect(daemon, 'memories', 'query', 'parse the upload', '--metadata', 'level=3')).out,
  ).toContain('No memories');
  expect((await reflect(daemon, 'memories', 'augment', 'parse the upload')).out).toMatch(
    /^parse the upload\n\nRelevant memories:\n\nFailed memories:/,
  );
  const { trace } = await daemon.call('traces.create', { task: 'Parse another', retrievedMemoryIds: [id] });
  expect((await reflect(daemon, 'traces', '--unreviewed')).out).toContain(trace.id);
  const wrong = await reflect(daemon, 'review', trace.id, 'pass', '--alpha', '7');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('alpha lies between 0 and 1')]);
  expect((await reflect(daemon, 'review', trace.id, 'perhaps')).code).toBe(2);
  expect((await reflect(daemon, 'review', trace.id, 'pass', '--feedback', 'Fine')).out).toContain(
    '0.500 → 0.650  Parsed an upload',
  );
  expect((await reflect(daemon, 'review', trace.id, 'pass')).code).toBe(1);
  expect((await reflect(daemon, 'memories', 'history', id)).out).toContain('0.500 → 0.650');
  expect((await reflect(daemon, 'review')).out).toContain('Fine');
  const [{ id: review }] = JSON.parse((await reflect(daemon, '--json', 'review')).out) as [{ id: number }];
  expect((await reflect(daemon, 'review', '--undo', `${review}`)).out).toMatch(
    /pass, undone .*0\.500 → 0\.500/,
  );
  expect((await reflect(daemon, 'review', '--undo', `${review}`)).code).toBe(1);
  expect((await reflect(daemon, 'review', '--redo', `${review}`)).out).toContain('0.500 → 0.650');
  expect((await reflect(daemon, 'review', '--undo', 'all')).code).toBe(2);
});

test('experiences, facts and history are saved and searched from the command line', async () => {
  const daemon = await started();
  const added = await reflect(
    daemon,
    'experience',
    'add',
    'Rebase the branch',
    '--outcome',
    'failed',
    '--lessons',
    'Never rebase what is shared',
    '--category',
    'git',
  );
  const id = added.out.trim();
  expect((await reflect(daemon, 'experience', 'query', 'rebase the branch')).out).toContain(
    '⚠️ This failed before:',
  );
  expect((await reflect(daemon, 'experience', 'feedback', id, 'yes')).out).toContain('1/1');
  expect((await reflect(daemon, 'experience', 'feedback', id, 'sometimes')).code).toBe(2);
  expect((await reflect(daemon, 'experience', 'add', 'x', '--outcome', 'won', '--lessons', 'y')).code).toBe(
    2,
  );
  expect((await reflect(daemon, 'experience', 'cleanup', '--dry-run')).out).toBe('Nothing to clean up.\n');
  expect((await reflect(daemon, 'experience', 'remember', 'Ada leads', '--category', 'project')).code).toBe(
    0,
  );
  expect((await reflect(daemon, 'experience', 'facts')).out).toMatch(/^project +injected .+ Ada leads\n$/);
  expect((await daemon.call('recall.inject', { cwd: daemon.cwd })).text).toContain(
    '## Always true here\n- (project) Ada leads',
  );
  expect((await reflect(daemon, 'experience', 'history', 'rebase')).out).toContain(
    'Rebase the branch — failed',
  );
  expect(JSON.parse((await reflect(daemon, '--json', 'experience', 'list')).out)).toMatchObject([
    { id, uses: 1, outcome: 'failed' },
  ]);
});

test('a loop is started, extended with attempts, asked for its context and analysed from the command line', async () => {
  const daemon = await started();
  const id = (
    await reflect(daemon, 'loop', 'start', 'Make the totals right', '--verify', 'unit_tests')
  ).out.trim();
  expect(id).toMatch(/^ralph-[0-9a-f]+$/);
  const file = (name: string, text: string) => {
    const path = join(daemon.cwd, name);
    writeFileSync(path, text);
    return path;
  };
  const failed = file(
    'failed.json',
    JSON.stringify({ ...failedAttempt(), self_reflection: { reflection_text: 'Hm.' } }),
  );
  const attempt = await reflect(daemon, 'loop', 'append', id, failed);
  expect(attempt.out).toContain(
    'Attempt 1 failed, reward 0.75; the loop is running.\nWeak reflection: too short, no credit assignment, no actionable insight.',
  );
  const bad = await reflect(
    daemon,
    'loop',
    'append',
    id,
    file('bad.json', JSON.stringify({ ...failedAttempt(), evaluator_output: { passed: false } })),
  );
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('evaluator_output.verification_type')]);
  expect((await reflect(daemon, 'loop', 'append', id, file('none.json', '{'))).code).toBe(2);
  expect((await reflect(daemon, 'loop', 'context', id)).out).toContain('This is attempt 2');
  await reflect(daemon, 'loop', 'append', id, file('passed.json', JSON.stringify(passedAttempt())));
  expect((await reflect(daemon, 'loop', 'analyze', id)).out).toMatch(/completed +2 +▆█/);
  expect((await reflect(daemon, 'loop', 'search', 'hm')).out).toContain('solved later');
  expect((await reflect(daemon, 'loop', 'list')).out).toContain('2 attempts');
});

const TESTS = `import test from 'node:test'; import assert from 'node:assert'; import { total } from './totals.mjs';
test('adds', () => assert.equal(total([1, 2]), 3));
test('of nothing', () => assert.equal(total([]), 0));
`;

test('a loop runs checks itself, reads their reports and records what git says was changed', async () => {
  const { root, commit } = gitRepository();
  const daemon = { ...(await started()), cwd: root };
  commit('totals.test.mjs', TESTS);
  commit('totals.mjs', 'export const total = (list) => list.reduce((a, b) => a + b);\n');
  const id = (await reflect(daemon, 'loop', 'start', 'Make the totals right')).out.trim();
  writeFileSync(
    join(root, 'totals.mjs'),
    'export const total = (list) => list.reduce((a, b) => a + b); // tried\n',
  );
  const node = JSON.stringify(process.execPath);
  const run = (reporter: string) =>
    reflect(
      daemon,
      'loop',
      'run',
      id,
      '--check',
      `${node} --test --test-reporter=${reporter}`,
      '--check',
      'exit 0',
    );
  const failed = await run('tap');
  expect([failed.code, failed.out]).toEqual([
    1,
    expect.stringMatching(
      /Attempt 1 failed, reward 0\.75; the loop is running\.[^]*\nThe attempt failed: of nothing: Reduce of empty array/,
    ) as string,
  ]);
  expect(failed.err).toContain('not ok'); // the checks are shown as they run
  const { iterations } = await daemon.call('loops.get', { id });
  expect(iterations[0]?.record.actor_output.actions).toEqual([
    {
      type: 'code_modification',
      description: 'Changed totals.mjs',
      file_path: 'totals.mjs',
      changes: { additions: 1, deletions: 1 },
    },
  ]);
  writeFileSync(
    join(root, 'totals.mjs'),
    'export const total = (list) => list.reduce((a, b) => a + b, 0);\n',
  );
  expect(await run('junit')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Attempt 2 passed, reward 1.00; the loop is completed.') as string,
  });
  expect((await reflect(daemon, 'loop', 'run', id)).code).toBe(2);
});

test('only a report that the check has just written is read, and no file is removed for it', async () => {
  const { root } = gitRepository();
  const daemon = { ...(await started()), cwd: root };
  writeFileSync(join(root, 'old.tap'), 'TAP version 13\n1..1\nok 1 - one\n');
  const id = (await reflect(daemon, 'loop', 'start', 'Make the totals right')).out.trim();
  const run = (check: string) =>
    reflect(daemon, 'loop', 'run', id, '--check', check, '--report', 'old.tap', '--did', 'tried');
  expect(await run('exit 0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('old.tap was not written by the check.') as string,
  });
  expect((await run('exit 3')).out).toContain('exit 3 ended with 3');
  expect((await run(`printf 'TAP version 13\\n1..1\\nnot ok 1 - adds\\n' > old.tap; exit 1`)).out).toContain(
    'Attempt 2 failed, reward 0.00',
  );
  expect(readFileSync(join(root, 'old.tap'), 'utf8')).toContain('not ok 1 - adds');
  const { iterations } = await daemon.call('loops.get', { id });
  expect(iterations[1]?.record.evaluator_output.errors).toMatchObject([
    { type: 'test_failure', message: 'adds' },
  ]);
});

test('what a command cannot read is said', async () => {
  const daemon = { ...(await started()) };
  expect(await reflect(daemon, 'loop', 'append', 'ralph-none', 'missing.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('missing.json is not valid JSON') as string,
  });
});
