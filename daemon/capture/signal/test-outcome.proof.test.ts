import { describe, expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { readTestRun } from '../test-runners.ts';
import { testOutcome } from './test-outcome.ts';

const FAILING =
  'FAILED tests/test_cart.py::test_total - AssertionError: 19.99 != 20.0\n========= 1 failed, 4 passed in 0.31s =========';
const PASSING = '========= 5 passed in 0.30s =========';

const lessons = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).moments.filter(({ signal }) => signal === testOutcome.id);
/** Of this signal: that the tests were run is noticed by another. */
const effects = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).effects.filter(({ sees }) => sees !== 'routine');
const fixed = (failingRuns = 1) => {
  const session = new SessionEvents();
  for (let runs = 0; runs < failingRuns; runs++)
    session.runs('cd api && pytest -q 2>&1 | tail -20', FAILING).edits('src/cart.py');
  return session.runs('pytest -q', PASSING);
};

test('SG4: tests that failed and pass now are a lesson that says what failed, how it was run and what was changed; switched off, nothing is noticed', () => {
  const [lesson] = lessons(fixed());
  expect(lesson).toMatchObject({
    type: 'bug-fix',
    score: 0.15,
    quote:
      '`pytest -q` failed (tests/test_cart.py::test_total: AssertionError: 19.99 != 20.0); it passes after changes to src/cart.py.',
  });
  expect(fixed(2).noticed({ [testOutcome.switch.name]: false })).toMatchObject({ moments: [], effects: [] });
});

test('SG4: two failing runs before it prove what the session learned; how many are needed is a setting', () => {
  expect(effects(fixed(1))).toEqual([]);
  expect(effects(fixed(2))).toMatchObject([{ sees: 'tests-fixed', runner: 'pytest', failedRuns: 2 }]);
  expect(effects(fixed(2), { REFLECT_TEST_FAILING_RUNS: 3 })).toEqual([]);
  expect(lessons(fixed(1))[0]?.speculative).toBe(true);
  expect(lessons(fixed(2))[0]?.speculative).toBe(false);
});

test('SG4: tests that passed and fail now are trouble', () => {
  const session = new SessionEvents().runs('pytest', PASSING).edits('src/cart.py').runs('pytest', FAILING);
  expect(effects(session)).toMatchObject([
    { sees: 'trouble', kind: 'test-regression', detail: expect.stringContaining('test_total') as string },
  ]);
  expect(lessons(session)).toEqual([]);
});

test('SG4: a first run, and runs that stay as they were, are no turn', () => {
  for (const output of [FAILING, PASSING]) {
    const session = new SessionEvents().runs('pytest', output).edits('src/cart.py').runs('pytest', output);
    expect([...effects(session), ...lessons(session)]).toEqual([]);
  }
});

test('SG4: a run of yesterday is compared with nothing, and a run of fewer tests than had failed proves nothing', () => {
  expect(
    lessons(
      new SessionEvents()
        .runs('pytest', FAILING)
        .edits('src/cart.py')
        .waits(7 * 60)
        .runs('pytest', PASSING),
    ),
  ).toEqual([]);
  const many = FAILING.replace('1 failed', '9 failed');
  expect(
    lessons(new SessionEvents().runs('pytest', many).edits('src/cart.py').runs('pytest -k one', PASSING)),
  ).toEqual([]);
});

test('SG4: mending the test itself, or half the project, is no lesson', () => {
  expect(
    lessons(new SessionEvents().runs('pytest', FAILING).edits('tests/test_cart.py').runs('pytest', PASSING)),
  ).toEqual([]);
  const work = new SessionEvents().runs('pytest', FAILING);
  for (let file = 0; file < 9; file++) work.edits(`src/part${file}.py`);
  expect(lessons(work.runs('pytest', PASSING))).toEqual([]);
});

test('SG4: a log that is only read, and output that is no test run, give no signal', () => {
  const session = new SessionEvents()
    .runs('cat pytest.log', FAILING)
    .edits('src/cart.py')
    .runs('cat pytest.log', PASSING)
    .runs('npm run build', 'built in 3 s');
  expect([...effects(session), ...lessons(session)]).toEqual([]);
});

describe('SG4: each runner is read by its own summary', () => {
  test.each([
    ['pytest', 'pytest -q', '2 failed, 3 passed, 1 warning in 1.20s', 2, 3],
    ['pytest', 'uv run pytest', '==== 5 passed in 0.10s ====', 0, 5],
    ['pytest', 'pytest', '==== 1 error in 0.10s ====', 1, 0],
    [
      'jest',
      'npx jest',
      'Test Suites: 1 failed, 1 passed, 2 total\nTests:       2 failed, 7 passed, 9 total',
      2,
      7,
    ],
    [
      'vitest',
      'npm test',
      ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 11 passed (12)',
      1,
      11,
    ],
    [
      'vitest',
      'vitest run',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m153 passed\u001b[39m\u001b[22m\u001b[90m (153)\u001b[39m',
      0,
      153,
    ],
    [
      'cargo test',
      'cargo test',
      'test result: ok. 4 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored',
      1,
      6,
    ],
    [
      'go test',
      'go test ./...',
      'ok  \tgithub.com/acme/a\t0.01s\n--- FAIL: TestCart (0.00s)\nFAIL\tgithub.com/acme/b\t0.02s',
      1,
      1,
    ],
    ['mocha', 'npx mocha', '  12 passing (34ms)\n  2 failing', 2, 12],
    ['node --test', 'node --test', 'ℹ tests 4\nℹ pass 3\nℹ fail 1', 1, 3],
    ['bun test', 'bun test', ' 7 pass\n 1 fail', 1, 7],
  ])('%s in `%s`', (runner, command, output, failed, passed) => {
    expect(readTestRun(command, output)).toEqual({ runner, failed, passed });
  });
});
