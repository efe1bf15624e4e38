import { expect, test } from 'vitest';
import { drainWorld } from '../../drain/testing.ts';
import { listLearnings } from '../../store/learnings/list.ts';
import { countQueue } from '../../store/capture/moments.ts';
import { ingestCaptured } from '../../testing/captured.ts';
import { SessionEvents } from '../../testing/session-events.ts';
import { tempStore } from '../../testing/temp-home.ts';
import { failureFix, signatureOf } from './failure-fix.ts';

const lessons = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).moments.filter(({ signal }) => signal === failureFix.id);
const arc = (name?: string) =>
  new SessionEvents(name)
    .runs('git show --no-stat HEAD', 'Exit code 128\nfatal: unrecognized argument: --no-stat', {
      failed: true,
    })
    .runs('git show --format="" HEAD', 'diff --git a b');

test('a command that failed and the variant that worked are a lesson of their own words; switched off, nothing', () => {
  expect(lessons(arc())).toMatchObject([
    {
      type: 'gotcha',
      recurring: 'git: fatal: unrecognized argument: --no-stat',
      quote:
        '`git show --no-stat HEAD` fails (fatal: unrecognized argument: --no-stat); `git show --format="" HEAD` works.',
    },
  ]);
  expect(lessons(arc(), { [failureFix.switch.name]: false })).toEqual([]);
});

test('the same command that works once another was run says which', () => {
  const session = new SessionEvents()
    .runs('git push origin main', 'error: failed to push some refs', { failed: true })
    .runs('git pull --rebase origin main', 'ok')
    .runs('git push origin main', 'ok');
  expect(lessons(session)[0]?.quote).toBe(
    '`git push origin main` fails (error: failed to push some refs); it works after `git pull --rebase origin main`.',
  );
});

test.each([
  [
    'a wrapper that was in the way',
    ['rtk bun test', "error: unrecognized subcommand 'bun'", true],
    ['bun test', '12 pass'],
    "`rtk bun test` fails (error: unrecognized subcommand 'bun'); `bun test` works.",
  ],
  [
    'another program for the same words',
    ['npx turbo lint --all', 'npm error could not determine executable to run', true],
    ['pnpm turbo lint --all', 'ok'],
    '`npx turbo lint --all` fails (npm error could not determine executable to run); `pnpm turbo lint --all` works.',
  ],
  [
    'a setting in front, after a change of folder',
    ['cd api && deno task seed', 'error: CITY is missing', true],
    ['cd api && CITY=Bern deno task seed', 'seeded'],
    '`deno task seed` fails (error: CITY is missing); `CITY=Bern deno task seed` works.',
  ],
  [
    'an error that a pipe hides',
    ['gh pr diff 12 --stat | head -5', 'unknown flag: --stat\n\nUsage: gh pr diff', false],
    ['gh pr diff 12 --name-only | head -5', 'a.ts'],
    '`gh pr diff 12 --stat` fails (unknown flag: --stat); `gh pr diff 12 --name-only` works.',
  ],
  [
    'a search that was called in a wrong way',
    ["git log | grep -oP '#12'", 'grep: invalid option -- P', true],
    ["git log | grep -o '#12'", '#12'],
    "`git log | grep -oP '#12'` fails (grep: invalid option -- P); `git log | grep -o '#12'` works.",
  ],
  [
    'a check that checked nothing',
    ['go test ./api -run TestPag', 'testing: warning: no tests to run', false],
    ['go test ./api -run TestPages', 'ok  \tshop/api\t0.2s'],
    '`go test ./api -run TestPag` fails (testing: warning: no tests to run); `go test ./api -run TestPages` works.',
  ],
] as const)('%s', (_what, [failing, error, failed], [working, output], quote) => {
  const session = new SessionEvents().runs(failing, error, { failed }).runs(working, output);
  expect(lessons(session).map((moment) => moment.quote)).toEqual([quote]);
});

test('edits do not change how a command must be called', () => {
  const session = new SessionEvents()
    .runs('rtk bun test', "error: unrecognized subcommand 'bun'", { failed: true })
    .edits('a.ts')
    .runs('bun test', '12 pass');
  expect(lessons(session)[0]?.quote).toBe(
    "`rtk bun test` fails (error: unrecognized subcommand 'bun'); `bun test` works.",
  );
});

test('a text that a command is given is no part of the command', () => {
  const commit = (option: string) => `git commit ${option} -m "$(cat <<'EOF'\ndocs: why\n\nEOF\n)"`;
  const session = new SessionEvents()
    .runs(commit('--all-files'), 'error: unknown option `all-files`', { failed: true })
    .runs(commit('--all'), '[main 1234567] docs: why');
  expect(lessons(session)[0]?.quote).toBe(
    '`git commit --all-files -m` fails (error: unknown option `all-files`); `git commit --all -m` works.',
  );
});

test('a linter’s rule is a lesson once it is met', () => {
  const finding = 'a.go:12:3: os/exec.Command must not be called. use os/exec.CommandContext (noctx)';
  const session = () =>
    new SessionEvents().runs('mise run lint', `${finding}\n1 issues`, { failed: true }).edits('a.go');
  expect(lessons(session())).toEqual([]);
  expect(lessons(session().runs('mise run lint', '0 issues'))[0]?.quote).toBe(
    '`mise run lint` reports (os/exec.Command must not be called. use os/exec.CommandContext (noctx)); it passes after changes to a.go.',
  );
});

test('a message that names its remedy is a lesson though files were edited in between', () => {
  const session = new SessionEvents()
    .runs('git commit -m x', 'DTOs changed. Run `pnpm api:generate` and stage openapi.json', { failed: true })
    .edits('openapi.json')
    .runs('git commit -m x', '[main 1234567] x');
  expect(lessons(session)).toHaveLength(1);
});

test('the more a failure is about how a command is called, the likelier it is a lesson', () => {
  const score = (error: string) =>
    lessons(
      new SessionEvents().runs('make lib --fast', error, { failed: true }).runs('make lib --all', 'ok'),
    )[0]?.score ?? 0;
  expect(score('make: unknown option --fast')).toBeGreaterThan(score('make: error: disk is full'));
});

test.each([
  [
    'an error every harness gives',
    'make build',
    '<tool_use_error>File does not exist.</tool_use_error>',
    'make build -j1',
  ],
  [
    'what a person turned down',
    'make build',
    "The user doesn't want to proceed with this tool use.",
    'make build -j1',
  ],
  ['what a sandbox denied', 'make build', 'sandbox: operation not permitted', 'make build -j1'],
  ['a search that found nothing', 'grep -rn cart src', 'Exit code 1', 'grep -rn cart lib src'],
  [
    'tests that were run again',
    'npx vitest run a',
    'Error: x\n      Tests  1 failed (1)',
    'npx vitest run a b',
  ],
  [
    'another command of the same program',
    'git push origin main',
    'error: failed to push some refs',
    'git log origin main',
  ],
  ['the same command after an edit', 'make build', 'error: missing ;', 'make build'],
])('%s is no lesson', (_what, failing, error, working) => {
  expect(
    lessons(new SessionEvents().runs(failing, error, { failed: true }).edits('a.c').runs(working, 'ok')),
  ).toEqual([]);
});

test('a variant that comes much later is another story; how much later is a setting', () => {
  const session = new SessionEvents().runs('make lib --fast', 'make: unrecognized option --fast', {
    failed: true,
  });
  for (let other = 0; other < 9; other++) session.runs(`node step${other}.js`, 'ok');
  session.runs('make lib', 'ok');
  expect(lessons(session)).toEqual([]);
  expect(lessons(session, { REFLECT_FIX_WITHIN: 20, REFLECT_FIX_LIKENESS: 0.1 })).toHaveLength(1);
});

test('a failure has one name wherever and whenever it happens', () => {
  const one = signatureOf('npm', `ENOENT: no such file '/home/ada/shop/a.json' at line 12 (3f2a9c1b7d)`);
  expect(signatureOf('npm', `ENOENT: no such file '/srv/x/b.json' at line 7 (99aa9c1b7d8)`)).toBe(one);
  expect(signatureOf('npm', 'EACCES: no such file')).not.toBe(one);
});

test('a failure is queued once it was met in two sessions of a project, and then no more; with one needed, at once', () => {
  const store = tempStore();
  ingestCaptured(store, arc('monday').noticed(), { path: '/monday' });
  ingestCaptured(store, arc('monday').noticed(), { path: '/monday' });
  expect(countQueue(store.db)).toBe(0);
  expect(ingestCaptured(store, arc('tuesday').noticed(), { path: '/tuesday' })).toHaveLength(1);
  expect(ingestCaptured(store, arc('wednesday').noticed(), { path: '/wednesday' })).toEqual([]);
  expect(countQueue(store.db)).toBe(1);
  const other = tempStore();
  expect(ingestCaptured(other, arc('monday').noticed(), { sessionsNeeded: 1 })).toHaveLength(1);
});

test('a failure met once waits as a candidate, and becomes a learning when another session meets it', async () => {
  const { store, drain } = drainWorld({ knobs: { REFLECT_LEARNING_BAR: 1 } });
  const meet = async (name: string) => {
    ingestCaptured(store, arc(name).noticed(), { path: `/${name}`, sessionsNeeded: 1 });
    await drain.run();
    const withStatus = (status: 'candidate' | 'active') =>
      listLearnings(store.db, { offset: 0, limit: 10, status }).items.map((item) => item.status);
    return [...withStatus('candidate'), ...withStatus('active')];
  };
  expect(await meet('monday')).toEqual(['candidate']);
  expect(await meet('tuesday')).toEqual(['active']);
});
