import { describe, expect, test } from 'vitest';
import { CheckRun } from '#contract/loops.ts';
import { evaluate } from './evaluate.ts';

const check = (more: Partial<CheckRun>): CheckRun =>
  CheckRun.parse({ tool: 'npm test', exitCode: 0, ...more });
const report = (text: string, exitCode = 1) =>
  evaluate([check({ exitCode, report: { format: 'auto', text } })], undefined);

const JUNIT = `<?xml version="1.0"?>
<testsuites><testsuite name="shop" tests="4">
  <testcase classname="totals" name="adds" time="0.1"/>
  <testcase classname="totals" name="of &lt;empty&gt; lists" file="src/totals.test.ts" line="12">
    <failure message="expected 0 &amp;amp; got 1" type="AssertionError"><![CDATA[at totals.ts:3 <here>]]></failure>
  </testcase>
  <testcase classname="totals" name="breaks"><error>Boom
at x</error></testcase>
  <testcase classname="totals" name="later"><skipped/></testcase>
</testsuite></testsuites>`;

describe('a report', () => {
  test('as JUnit XML gives counts, messages and places', () => {
    expect(report(JUNIT)).toMatchObject({
      passed: false,
      verification_type: 'unit_tests',
      metrics: { tests_passed: 1, tests_total: 3 },
      errors: [
        {
          type: 'test_failure',
          message: 'totals › of <empty> lists: expected 0 &amp; got 1',
          file: 'src/totals.test.ts',
          line: 12,
          stack_trace: 'at totals.ts:3 <here>',
        },
        { message: 'totals › breaks: Boom' },
      ],
    });
  });

  test('as TAP gives the same; a test that holds others is counted by those', () => {
    const tap = `TAP version 13
# Subtest: totals
    ok 1 - of one
    not ok 2 - of none
      ---
      location: '/shop/totals.test.mjs:3:1'
      error: '0 == 1'
      ...
    1..2
not ok 1 - totals
  ---
  location: '/shop/totals.test.mjs:1:1'
  error: '1 subtest failed'
  ...
ok 2 - adds
ok 3 - later # SKIP not now
1..3`;
    expect(report(tap)).toMatchObject({
      metrics: { tests_passed: 2, tests_total: 3 },
      errors: [{ message: 'totals › of none: 0 == 1', file: '/shop/totals.test.mjs', line: 3 }],
    });
    expect(report('TAP version 13\n    ok 1 - inner\nnot ok 1 - outer\n1..1')).toMatchObject({
      metrics: { tests_passed: 1, tests_total: 2 },
      errors: [{ message: 'outer' }],
    });
  });

  test('as TAP of Vitest, whose files are blocks around their tests', () => {
    const tap = `TAP version 13
1..1
not ok 1 - a.test.ts # time=7.82ms {
    1..2
    ok 1 - adds # time=1.36ms
    not ok 2 - multiplies # time=5.03ms
        ---
        error:
            name: "AssertionError"
            message: "expected 4 to be 5"
        at: "/shop/a.test.ts:3:38"
        ...
}`;
    expect(report(tap)).toMatchObject({
      metrics: { tests_passed: 1, tests_total: 2 },
      errors: [{ message: 'a.test.ts › multiplies: expected 4 to be 5', file: '/shop/a.test.ts', line: 3 }],
    });
  });

  test('without a place has the one in its stack', () => {
    const failure = 'expected 4 to be 5\n\n- 5\n+ 4\n\n ❯ a.test.ts:3:38\n';
    expect(
      report(`<testsuites><testcase name="b"><failure>${failure}</failure></testcase></testsuites>`),
    ).toMatchObject({ errors: [{ file: 'a.test.ts', line: 3, column: 38 }] });
    const json = {
      numPassedTests: 0,
      numFailedTests: 1,
      testResults: [
        {
          name: '/shop/a.test.ts',
          status: 'failed',
          assertionResults: [
            {
              fullName: 'b',
              status: 'failed',
              failureMessages: [
                'Error: no\n    at run (/shop/node_modules/x/y.js:1:2)\n    at /shop/a.test.ts:3:9',
              ],
            },
          ],
        },
      ],
    };
    expect(report(JSON.stringify(json))).toMatchObject({
      errors: [{ file: '/shop/a.test.ts', line: 3, column: 9 }],
    });
  });

  test('as JSON of Vitest or Jest gives the same, also of a file that cannot be loaded', () => {
    const json = {
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 0,
      testResults: [
        {
          name: '/shop/a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { fullName: 'totals adds', status: 'passed', failureMessages: [] },
            {
              fullName: 'totals of empty lists',
              status: 'failed',
              failureMessages: ['AssertionError: expected 0 to be 1\n    at a.test.ts:3:9'],
              location: { line: 3, column: 9 },
            },
          ],
        },
        {
          name: '/shop/b.test.ts',
          status: 'failed',
          message: 'Cannot find module ./gone',
          assertionResults: [],
        },
      ],
    };
    expect(report(`> vitest\n\n${JSON.stringify(json)}\n`)).toMatchObject({
      metrics: { tests_passed: 2, tests_total: 4 },
      errors: [
        {
          message: 'totals of empty lists: AssertionError: expected 0 to be 1',
          file: '/shop/a.test.ts',
          line: 3,
          column: 9,
        },
        { message: 'Cannot find module ./gone', file: '/shop/b.test.ts' },
      ],
    });
  });

  test('that names a failure fails the attempt even if the command ended well, and one that cannot be read leaves it to the exit code', () => {
    expect(report(JUNIT, 0).passed).toBe(false);
    expect(report('hello', 0)).toMatchObject({ passed: true, metrics: {}, errors: [] });
    expect(report('<testsuites', 1).passed).toBe(false);
  });
});

describe('a command', () => {
  test('is judged by its exit code, and its last words are the error', () => {
    expect(evaluate([check({ stdout: 'all fine' })], undefined)).toMatchObject({ passed: true, errors: [] });
    expect(
      evaluate([check({ tool: './deploy', exitCode: 3, stderr: 'warming up\nno credentials\n' })], undefined),
    ).toMatchObject({
      passed: false,
      results: [{ tool: './deploy', status: 'fail', exit_code: 3 }],
      errors: [{ type: 'other', message: './deploy ended with 3: no credentials' }],
    });
    expect(evaluate([check({ tool: 'nope', exitCode: 127 })], undefined).results?.[0]?.status).toBe('error');
  });

  test.each([
    [
      'npx tsc --noEmit',
      'src/a.ts(3,14): error TS2322: Type wrong',
      'type_check',
      'type_error',
      'TS2322: Type wrong',
    ],
    ['mypy .', 'a.py:3: error: Incompatible types', 'type_check', 'type_error', 'Incompatible types'],
    ['ruff check', 'src/a.py:3:14: F401 `os` unused', 'lint', 'lint_error', 'F401 `os` unused'],
    ['make', 'src/a.c:3:14: error: expected ;', 'unit_tests', 'syntax_error', 'expected ;'],
    [
      'eslint .',
      '/shop/src/a.ts\n  3:14  error  Unexpected any  no-explicit-any',
      'lint',
      'lint_error',
      'Unexpected any',
    ],
  ])('%s: its errors are read from what it prints', (tool, stdout, type, kind, message) => {
    expect(evaluate([check({ tool, exitCode: 1, stdout })], undefined)).toMatchObject({
      verification_type: type,
      errors: [{ type: kind, message, line: 3 }],
    });
  });

  test('of several is one verdict, weighed as the reward is', () => {
    const tests = check({ exitCode: 1, report: { format: 'junit', text: JUNIT } });
    const types = check({ tool: 'tsc', exitCode: 0 });
    const lint = check({ tool: 'eslint .', exitCode: 1, stdout: '/shop/a.ts\n  1:1  error  No  no' });
    expect(evaluate([tests, types, lint], undefined)).toMatchObject({
      passed: false,
      verification_type: 'combined',
      metrics: { tests_passed: 1, tests_total: 3, type_errors: 0, lint_errors: 1 },
      results: [{ status: 'fail' }, { status: 'pass' }, { status: 'fail' }],
    });
  });
});
