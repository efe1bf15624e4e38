import { describe, expect, test } from 'vitest';
import type { EvaluatorOutput, FailureCategory, Loop, LoopIteration, NewAttempt } from '#contract/loops.ts';
import type { Call } from '#contract/methods.ts';
import { runDaemon } from '../../testing/running-daemon.ts';
import { flagsOf } from './quality.ts';
import { rewardOf } from './reward.ts';
import { failedAttempt, LOOP, passedAttempt, reflection } from './testing.ts';
import { omegaOf, reflectionsIn, windowOf } from './window.ts';

const judged = (more: Partial<EvaluatorOutput>): EvaluatorOutput => ({
  passed: false,
  verification_type: 'combined',
  ...more,
});

describe('the reward', () => {
  test.each<[string, Partial<EvaluatorOutput>, number]>([
    [
      'half for the tests, 0.3 for types and 0.2 for lint',
      { metrics: { tests_passed: 8, tests_total: 10, type_errors: 0, lint_errors: 2 } },
      0.7,
    ],
    [
      'all of it when all is clean',
      { metrics: { tests_passed: 10, tests_total: 10, type_errors: 0, lint_errors: 0 } },
      1,
    ],
    [
      'what a tool said of what was not counted',
      {
        metrics: { tests_passed: 1, tests_total: 2 },
        results: [
          { tool: 'tsc --noEmit', status: 'fail' },
          { tool: 'eslint', status: 'pass' },
        ],
      },
      0.45,
    ],
    [
      'the share of tests that passed',
      { verification_type: 'unit_tests', metrics: { tests_passed: 3, tests_total: 4 } },
      0.75,
    ],
    [
      'the share of checks that passed, without those skipped',
      {
        verification_type: 'lint',
        results: [
          { tool: 'a', status: 'pass' },
          { tool: 'b', status: 'fail' },
          { tool: 'c', status: 'skip' },
        ],
      },
      0.5,
    ],
    ['nothing for a failure that says nothing', { verification_type: 'manual_review' }, 0],
    [
      'nothing for no tests at all',
      { verification_type: 'unit_tests', metrics: { tests_passed: 0, tests_total: 0 } },
      0,
    ],
    ['everything for a pass', { passed: true, metrics: { tests_passed: 1, tests_total: 2 } }, 1],
    [
      'what the evaluator says itself',
      { reward_signal: 0.42, metrics: { tests_passed: 1, tests_total: 1 } },
      0.42,
    ],
  ])('is %s', (_, evaluator, reward) => {
    expect(rewardOf(judged(evaluator))).toBeCloseTo(reward, 10);
  });
});

const loop = (more: Partial<Loop> = {}): Loop => ({
  id: LOOP,
  task: 't',
  verificationType: 'unit_tests',
  omega: null,
  windowPolicy: 'fifo',
  maxIterations: 10,
  project: '',
  status: 'running',
  startedAt: 0,
  finishedAt: null,
  iterations: 0,
  lastReward: null,
  learningId: null,
  ...more,
});
const iterations = (...categories: FailureCategory[]): LoopIteration[] =>
  categories.map((category, iteration) => ({
    record: {
      ...failedAttempt(),
      iteration,
      timestamp: '2026-01-01T00:00:00Z',
      self_reflection: reflection({ category, about: `thing${iteration}` }),
      memory_metadata: { omega_capacity: 1, current_memory_size: 0 },
    },
    flags: [],
  }));
const inWindow = (of: Loop, all: LoopIteration[], dynamic = true) =>
  windowOf(of, all, dynamic).reflections.map(({ iteration }) => iteration);

describe('the window', () => {
  test.each([
    ['unit_tests', 1],
    ['type_check', 1],
    ['lint', 1],
    ['integration_tests', 3],
    ['combined', 3],
    ['manual_review', 5],
  ] as const)('of %s holds %i', (verificationType, omega) => {
    expect(omegaOf(loop({ verificationType }), [], false).omega).toBe(omega);
  });

  test('holds the last Ω reflections and slides', () => {
    const all = iterations('other', 'other', 'other', 'other', 'other');
    expect(inWindow(loop({ omega: 3 }), all.slice(0, 2))).toEqual([0, 1]);
    expect(inWindow(loop({ omega: 3 }), all.slice(0, 4))).toEqual([1, 2, 3]);
    expect(inWindow(loop({ omega: 3 }), all)).toEqual([2, 3, 4]);
    expect(inWindow(loop({ omega: 2, windowPolicy: 'recency' }), all)).toEqual([4, 3]);
  });

  test('widens with the variety of failures, unless that is switched off or the size is fixed', () => {
    const three = iterations('other', 'logic_error', 'edge_case_miss');
    const five = iterations('other', 'logic_error', 'edge_case_miss', 'hallucination', 'integration_error');
    const omega = (all: LoopIteration[], dynamic = true, more: Partial<Loop> = {}) =>
      omegaOf(loop(more), reflectionsIn(all), dynamic);
    expect([omega(three.slice(0, 2)), omega(three), omega(five)]).toEqual([
      { omega: 1, why: 'usual for unit tests' },
      { omega: 3, why: 'failures of 3 kinds' },
      { omega: 5, why: 'failures of 5 kinds' },
    ]);
    expect(omega(five, false).omega).toBe(1);
    expect(omega(five, true, { omega: 2 })).toEqual({ omega: 2, why: 'fixed when the loop was started' });
    expect(omega(three, true, { verificationType: 'manual_review' }).omega).toBe(5); // never less than the default
  });

  test('by relevance holds the reflections most similar to the last failure', () => {
    const all = iterations('other', 'other', 'other');
    const last = all[2];
    if (last) last.record.self_reflection = reflection({ about: 'thing0' });
    expect(inWindow(loop({ omega: 2, windowPolicy: 'relevance_weighted' }), all)).toEqual([2, 0]);
  });
});

describe('a reflection', () => {
  const flags = (
    more: Parameters<typeof reflection>[0],
    attempt: Partial<NewAttempt> = {},
    previous?: Parameters<typeof reflection>[0],
  ) =>
    flagsOf(
      {
        ...failedAttempt(attempt),
        iteration: 1,
        timestamp: '',
        memory_metadata: { omega_capacity: 1, current_memory_size: 1 },
        self_reflection: reflection(more),
      },
      previous && reflection(previous),
    );

  test('that is specific is not flagged', () => {
    expect(
      flags(
        {},
        {},
        {
          reflection_text:
            'The imports were missing, as the linter said of the module that holds the currencies and their signs.',
        },
      ),
    ).toEqual([]);
  });

  test.each([
    ['too-short', { reflection_text: 'It failed.' }],
    ['no-credit-assignment', { credit_assignment: {} }],
    ['no-actionable-insight', { actionable_insights: [' '] }],
    ['generic-advice', { actionable_insights: ['Be more careful', 'Test it thoroughly.'] }],
  ] as const)('that is %s is flagged', (flag, more) => {
    expect(flags(more as Parameters<typeof reflection>[0])).toEqual([flag]);
  });

  test('that repeats the last one, or is unsure and did not help, is flagged', () => {
    expect(flags({}, {}, {})).toEqual(['repeats-the-last']);
    expect(flags({ confidence: 0.3 }, { performance_delta: { is_improvement: false } })).toEqual([
      'unsure-and-no-better',
    ]);
    expect(flags({ confidence: 0.3 }, { performance_delta: { is_improvement: true } })).toEqual([]);
  });
});

async function started(more: object = {}) {
  const { call } = await runDaemon();
  await call('loops.start', {
    id: LOOP,
    task: 'Make the totals right',
    verificationType: 'unit_tests',
    ...more,
  });
  return call;
}
const tests = (passed: number, more: Partial<NewAttempt> = {}) =>
  failedAttempt({
    ...more,
    evaluator_output: {
      ...failedAttempt().evaluator_output,
      metrics: { tests_passed: passed, tests_total: 4 },
    },
  });
const refusal = (call: Call, attempt: NewAttempt) =>
  call('reflections.append', attempt).then(
    () => 'kept',
    (error: unknown) => (error as Error).message,
  );

describe('a loop', () => {
  test('counts its attempts, calculates what it can, and ends with a learning when one passes', async () => {
    const call = await started();
    const first = await call('reflections.append', tests(1));
    expect(first).toMatchObject({
      flags: [],
      loop: { status: 'running', iterations: 1, lastReward: 0.25 },
      record: {
        iteration: 0,
        evaluator_output: { reward_signal: 0.25 },
        memory_metadata: {
          omega_capacity: 1,
          current_memory_size: 1,
          reflections_in_context: [0],
          total_reflections_generated: 1,
        },
      },
    });
    const { text, iterations: told } = await call('reflections.context', { loopId: LOOP });
    expect(told).toEqual([0]);
    for (const part of [
      '# Task\nMake the totals right',
      'This is attempt 2',
      '## Attempt 1\nIn the last attempt',
      'Cause: No check for empty rows',
      'Do this time:\n- Return an empty list',
      'Lessons:\n- An answer may hold no rows',
      '## What failed in attempt 1',
      '1. Map over the rows (src/totals.ts)',
      '- vitest: fail: Cannot read map',
      '- test failure: Cannot read map of undefined (src/totals.ts:23)',
    ])
      expect(text).toContain(part);
    const second = await call(
      'reflections.append',
      tests(3, { self_reflection: reflection({ about: 'currencies', category: 'logic_error' }) }),
    );
    expect(second.record).toMatchObject({
      iteration: 1,
      previous_reflections_used: [0],
      performance_delta: { reward_change: 0.5, error_count_change: 0, is_improvement: true },
    });
    const passed = await call('reflections.append', passedAttempt());
    expect(passed).toMatchObject({
      loop: { status: 'completed', iterations: 3, lastReward: 1 },
      record: { performance_delta: { is_improvement: true } },
    });
    expect(passed.record).not.toHaveProperty('previous_reflections_used'); // its context was never requested
    expect(await call('learnings.get', { id: passed.loop.learningId ?? '' })).toMatchObject({
      title: 'An answer may hold no currencies',
      outcome: 'pass',
      keyMistake: 'No check for empty currencies',
      metadata: { loop: LOOP, failureCategory: 'logic_error' },
    });
    expect((await call('loops.get', { id: LOOP })).iterations).toHaveLength(3);
  });

  test('that passes at once leaves no learning, and neither does one whose learning is switched off', async () => {
    const call = await started();
    expect((await call('reflections.append', passedAttempt())).loop).toMatchObject({
      status: 'completed',
      learningId: null,
    });
    const { call: quiet } = await runDaemon({ REFLECT_LOOP_LEARNING: 'false' });
    await quiet('loops.start', { id: LOOP, task: 't' });
    await quiet('reflections.append', failedAttempt());
    expect((await quiet('reflections.append', passedAttempt())).loop.learningId).toBeNull();
  });

  test('is aborted after its last attempt, which still needs a reflection, or on request', async () => {
    const call = await started({ maxIterations: 2 });
    await call('reflections.append', failedAttempt());
    expect((await call('reflections.append', failedAttempt())).loop).toMatchObject({
      status: 'aborted',
      iterations: 2,
      learningId: null,
    });
    await call('loops.start', { id: 'ralph-other', task: 't' });
    expect(await call('loops.abort', { id: 'ralph-other', reason: 'enough' })).toMatchObject({
      status: 'aborted',
    });
    expect((await call('history.search', { query: 'given up enough' })).map(({ kind }) => kind)).toEqual([
      'loop',
    ]);
  });

  test('takes no reflection on an attempt that passed', async () => {
    const call = await started();
    expect(await refusal(call, passedAttempt({ self_reflection: reflection() }))).toMatch(
      /self_reflection: not allowed for an attempt that passed/,
    );
    expect((await call('loops.get', { id: LOOP })).iterations).toEqual([]);
  });

  test('refuses invalid input with the field and the reason, and saves nothing', async () => {
    const call = await started();
    const wrong = (path: string, attempt: object) =>
      expect(refusal(call, attempt as NewAttempt), path).resolves.toMatch(
        new RegExp(path.replaceAll('.', '\\.')),
      );
    await wrong('loop_id', failedAttempt({ loop_id: 'loop 1' }));
    await wrong(
      'evaluator_output.verification_type',
      failedAttempt({
        evaluator_output: { ...failedAttempt().evaluator_output, verification_type: 'vibes' as 'lint' },
      }),
    );
    await wrong(
      'self_reflection.confidence',
      failedAttempt({ self_reflection: reflection({ confidence: 2 }) }),
    );
    await wrong(
      'actor_output.actions.0.description',
      failedAttempt({ actor_output: { actions: [{ type: 'other', description: ' ' }], rationale: '' } }),
    );
    await wrong('surprise', { ...failedAttempt(), surprise: 1 });
    await wrong('iteration: the next of this loop is 0, not 4', failedAttempt({ iteration: 4 }));
    await wrong('No loop “ralph-unknown”', failedAttempt({ loop_id: 'ralph-unknown' }));
    expect((await call('loops.get', { id: LOOP })).iterations).toEqual([]);
    await call('reflections.append', passedAttempt());
    await wrong('The loop ralph-totals is completed', failedAttempt());
    await expect(call('loops.start', { id: LOOP, task: 't' })).rejects.toThrow(
      /The loop ralph-totals already exists/,
    );
    await expect(call('loops.start', { task: 't', omega: 11 })).rejects.toThrow(/omega/);
    await expect(call('loops.abort', { id: LOOP })).rejects.toThrow(/is completed/);
  });

  test('accepts a complete record of another tool unchanged', async () => {
    const call = await started();
    const whole = failedAttempt({
      iteration: 0,
      timestamp: '2026-01-25T10:00:00.000Z',
      memory_metadata: { omega_capacity: 7, current_memory_size: 1 },
      notes: 'imported',
    });
    whole.evaluator_output.reward_signal = 0.1;
    expect((await call('reflections.append', whole)).record).toEqual(whole);
  });
});

describe('the text for the next attempt', () => {
  test('drops the oldest reflections when it does not fit, and is the task alone at first', async () => {
    const call = await started({ omega: 3 });
    expect(await call('reflections.context', { loopId: LOOP })).toMatchObject({
      text: '# Task\nMake the totals right',
      iterations: [],
    });
    for (const about of ['rows', 'currencies', 'taxes'])
      await call('reflections.append', failedAttempt({ self_reflection: reflection({ about }) }));
    expect((await call('reflections.context', { loopId: LOOP })).iterations).toEqual([0, 1, 2]);
    const {
      iterations: told,
      text,
      tokens,
    } = await call('reflections.context', { loopId: LOOP, maxTokens: 300 });
    expect(told.at(-1)).toBe(2);
    expect(told).not.toContain(0);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(text).toContain('taxes');
  });
});

describe('across loops', () => {
  async function two() {
    const call = await started();
    await call(
      'reflections.append',
      failedAttempt({ self_reflection: reflection({ category: 'edge_case_miss', confidence: 0.9 }) }),
    );
    await call('reflections.append', passedAttempt());
    await call('loops.start', {
      id: 'ralph-webhook',
      task: 'Integrate the webhook API',
      verificationType: 'combined',
    });
    await call(
      'reflections.append',
      failedAttempt({
        loop_id: 'ralph-webhook',
        self_reflection: reflection({ category: 'integration_error', confidence: 0.5, about: 'headers' }),
      }),
    );
    await call(
      'reflections.append',
      failedAttempt({
        loop_id: 'ralph-webhook',
        self_reflection: reflection({ category: 'configuration_error', confidence: 0.7, about: 'rows' }),
      }),
    );
    return call;
  }

  test('reflections are found by failure, confidence and words, best match first', async () => {
    const call = await two();
    const found = async (query: object) =>
      (await call('reflections.search', query)).map(({ loopId, iteration }) => `${loopId}/${iteration}`);
    expect(await found({ failureCategory: 'edge_case_miss' })).toEqual(['ralph-totals/0']);
    expect(
      await found({ failureCategory: ['integration_error', 'configuration_error'], minConfidence: 0.6 }),
    ).toEqual(['ralph-webhook/1']);
    expect(await found({ keywords: ['webhook', 'headers'] })).toEqual(['ralph-webhook/0', 'ralph-webhook/1']);
    expect(await found({ keywords: ['tomatoes'] })).toEqual([]);
    expect((await call('reflections.search', { keywords: ['ROWS'], limit: 1 }))[0]).toMatchObject({
      loopId: 'ralph-totals',
      solved: true,
      matched: ['ROWS'],
    });
    await expect(call('reflections.search', { failureCategory: 'laziness' as 'other' })).rejects.toThrow(
      /failureCategory/,
    );
    await expect(call('reflections.search', { minConfidence: 2 })).rejects.toThrow(/minConfidence/);
  });

  test('the analysis has the curve, the gain, the reuse, repeated lessons and the success rate', async () => {
    const call = await started();
    await call('reflections.append', tests(1));
    await call('reflections.context', { loopId: LOOP });
    await call(
      'reflections.append',
      tests(3, { self_reflection: reflection({ reflection_text: 'Hm.', category: 'logic_error' }) }),
    );
    await call('reflections.append', passedAttempt());
    await call('loops.start', { id: 'ralph-b', task: 'b' });
    await call('reflections.append', failedAttempt({ loop_id: 'ralph-b' }));
    await call('loops.abort', { id: 'ralph-b' });
    const one = await call('reflections.analyze', { loopId: LOOP });
    expect(one.loops).toMatchObject([
      {
        loopId: LOOP,
        status: 'completed',
        iterations: 3,
        improvement: 0.75,
        learningRate: 0.25,
        breakthroughs: [1, 2],
        timeToSuccess: 3,
        lessons: 2,
        averageConfidence: 0.8,
        reuseRate: 0.5,
        flagged: 1,
        failureCategories: { edge_case_miss: 1, logic_error: 1 },
        learningCurve: [
          { reward: 0.25, errors: 1, passed: false },
          { reward: 0.75 },
          { reward: 1, errors: 0, passed: true },
        ],
      },
    ]);
    const all = await call('reflections.analyze', {});
    expect(all).toMatchObject({
      successRate: 0.5,
      averageIterations: 2,
      reuseRate: 0.5,
      failureCategories: { edge_case_miss: 2, logic_error: 1 },
      repeatedLessons: [{ lesson: 'An answer may hold no rows', loops: ['ralph-b', LOOP] }],
    });
    await expect(call('reflections.analyze', { loopId: 'ralph-none' })).rejects.toThrow(/ralph-none/);
  });
});
