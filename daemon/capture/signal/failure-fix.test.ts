import { expect, test } from 'vitest';
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
