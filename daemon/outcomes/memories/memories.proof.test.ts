import { describe, expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { runDaemon } from '../../testing/running-daemon.ts';
import { augment } from './augment.ts';
import { learnedUtility } from './utility.ts';

const create = (call: Call, task: string, result: 'pass' | 'fail' = 'pass', more: object = {}) =>
  call('memories.create', {
    task,
    result,
    summary: `Summary of ${task}`,
    guidance: `Guidance for ${task}`,
    ...more,
  }).then(({ memory }) => memory.id);
const utilityOf = async (call: Call, id: string) => (await call('learnings.get', { id })).signals.qValue;

test('pass, pass, fail from 0.5 at an alpha of 0.3 is 0.65, 0.755, 0.5285', () => {
  const steps = (['pass', 'pass', 'fail'] as const).reduce<number[]>(
    (q, result) => [...q, learnedUtility(q.at(-1) ?? 0.5, result, 0.3)],
    [],
  );
  expect(steps.map((q) => Number(q.toFixed(6)))).toEqual([0.65, 0.755, 0.5285]);
});

describe('a review', () => {
  test('moves the utility of the memories the run was given and no others, and records every step', async () => {
    const { call } = await runDaemon();
    const [given, other] = [await create(call, 'Parse the upload'), await create(call, 'Rotate the keys')];
    for (const result of ['pass', 'pass', 'fail'] as const) {
      const { trace } = await call('traces.create', {
        task: 'Parse another upload',
        retrievedMemoryIds: [given],
      });
      await call('traces.review', { id: trace.id, result, feedback: `round ${result}` });
    }
    const history = await call('memories.history', { id: given });
    expect(history.map(({ qBefore, qAfter }) => [qBefore, qAfter].map((q) => Number(q.toFixed(4))))).toEqual([
      [0.5, 0.65],
      [0.65, 0.755],
      [0.755, 0.5285],
    ]);
    expect(history[2]).toMatchObject({ source: 'trace', result: 'fail', alpha: 0.3, reason: 'round fail' });
    expect(
      [await utilityOf(call, given), await utilityOf(call, other)].map((q) => Number(q.toFixed(4))),
    ).toEqual([0.5285, 0.5]);
    expect(await call('memories.history', { id: other })).toEqual([]);
    expect((await call('reviews.list', {})).map(({ learningId }) => learningId)).toEqual([
      given,
      given,
      given,
    ]);
  });

  test('may be given as a result with the run, and its feedback and alpha belong to it', async () => {
    const { call } = await runDaemon();
    const id = await create(call, 'Parse the upload');
    const run = { task: 'Parse another upload', retrievedMemoryIds: [id] };
    const { trace } = await call('traces.create', {
      ...run,
      reviewResult: 'fail',
      feedback: 'Too late',
      alpha: 0.5,
    });
    expect([trace.result, trace.feedback, await utilityOf(call, id)]).toEqual(['fail', 'Too late', 0.25]);
    await expect(call('traces.create', { ...run, feedback: 'Too late' })).rejects.toThrow('reviewResult');
  });

  test('counts by its own alpha, nothing at 0 and fully at 1, otherwise by the setting', async () => {
    const { call } = await runDaemon({ Q_LEARNING_ALPHA: '0.2' });
    const id = await create(call, 'Parse the upload');
    const review = (alpha?: number) =>
      call('traces.create', { task: 'x', retrievedMemoryIds: [id], review: { result: 'pass', alpha } });
    await review(0);
    expect(await utilityOf(call, id)).toBe(0.5);
    await review();
    expect(await utilityOf(call, id)).toBeCloseTo(0.6, 10);
    await review(1);
    expect(await utilityOf(call, id)).toBe(1);
  });

  test('is refused for an unknown trace, a second time and with an alpha out of range, without any change', async () => {
    const { call } = await runDaemon();
    const id = await create(call, 'Parse the upload');
    const { trace } = await call('traces.create', { task: 'x', retrievedMemoryIds: [id] });
    await expect(call('traces.review', { id: 'trace-none', result: 'pass' })).rejects.toThrow(
      /No trace “trace-none”/,
    );
    for (const alpha of [-0.1, 1.1, Number.NaN])
      await expect(call('traces.review', { id: trace.id, result: 'pass', alpha })).rejects.toThrow(/alpha/);
    await expect(call('traces.review', { id: trace.id, result: 'maybe' as 'pass' })).rejects.toThrow(
      /result/,
    );
    expect(await utilityOf(call, id)).toBe(0.5);
    await call('traces.review', { id: trace.id, result: 'pass' });
    await expect(call('traces.review', { id: trace.id, result: 'fail' })).rejects.toThrow(
      /is already reviewed as pass/,
    );
    expect(await utilityOf(call, id)).toBe(0.65);
  });

  test('can be undone and restored, while later reviews still count', async () => {
    const { call } = await runDaemon();
    const id = await create(call, 'Parse the upload');
    for (const result of ['pass', 'pass', 'pass', 'fail'] as const)
      await call('traces.create', { task: 'x', retrievedMemoryIds: [id], review: { result } });
    const standing = async () => {
      const { qValue, uses, successes, quality } = (await call('learnings.get', { id })).signals;
      return [Number(qValue.toFixed(5)), uses, successes, quality];
    };
    const [before, history] = [await standing(), await call('memories.history', { id })];
    expect(before).toEqual([0.57995, 4, 3, 4]);
    const third = history[2]?.id ?? 0;
    expect(await call('reviews.undo', { id: third })).toMatchObject({
      result: 'pass',
      undoneAt: expect.any(Number) as number,
    });
    expect(await standing()).toEqual([0.5285, 3, 2, 3]);
    expect((await call('memories.history', { id })).map(({ qAfter }) => Number(qAfter.toFixed(4)))).toEqual([
      0.65, 0.755, 0.755, 0.5285,
    ]);
    await expect(call('reviews.undo', { id: third })).rejects.toThrow(/is already undone/);
    await call('reviews.undo', { id: third, undone: false });
    expect([await standing(), await call('memories.history', { id })]).toEqual([before, history]);
    await expect(call('reviews.undo', { id: 999 })).rejects.toThrow(/No review “999”/);
  });

  test('of a run with unknown memories is refused as a whole', async () => {
    const { call } = await runDaemon();
    await expect(
      call('traces.create', { task: 'x', retrievedMemoryIds: ['lrn-none'], review: { result: 'pass' } }),
    ).rejects.toThrow(/lrn-none/);
    expect(await call('traces.list', {})).toEqual([]);
    await expect(call('memories.history', { id: 'lrn-none' })).rejects.toThrow(/No learning “lrn-none”/);
  });
});

describe('a reviewed run', () => {
  const trajectory = [
    { role: 'user', content: 'Import the file' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', function: { name: 'read_csv', arguments: '{"path":"a.csv"}' } }],
    },
    { role: 'tool', content: 'UnicodeDecodeError: invalid byte', is_error: true },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'It cannot be read.' },
        { type: 'tool_use', name: 'detect_encoding', input: {} },
      ],
    },
  ];

  test("becomes a memory with its task, outcome, tools, metadata and the reviewer's reason for the failure", async () => {
    const { call } = await runDaemon();
    const { trace } = await call('traces.create', {
      task: 'Import the customer file',
      trajectory,
      metadata: { domain: 'crm' },
      review: {
        result: 'fail',
        feedback: 'No, never guess the encoding: always detect it before reading a file.',
      },
    });
    expect(trace).toMatchObject({
      result: 'fail',
      toolsUsed: ['read_csv', 'detect_encoding'],
      memoryId: expect.any(String) as string,
      problem: '',
    });
    const learning = await call('learnings.get', { id: trace.memoryId ?? '' });
    expect(learning).toMatchObject({
      type: 'memory',
      outcome: 'fail',
      task: 'Import the customer file',
      toolsUsed: ['read_csv', 'detect_encoding'],
      metadata: { domain: 'crm', trace: trace.id },
    });
    expect(`${learning.title} ${learning.guidance}`.toLowerCase()).toContain('detect');
    expect(learning.signals.qValue).toBe(0.5);
  });

  test('without a comment takes the reason from the errors of its tools', async () => {
    const { call } = await runDaemon();
    const { trace } = await call('traces.create', {
      task: 'Import the customer file',
      trajectory,
      review: { result: 'fail' },
    });
    expect(await call('learnings.get', { id: trace.memoryId ?? '' })).toMatchObject({
      keyMistake: 'UnicodeDecodeError: invalid byte',
      guidance: expect.stringContaining('avoid this') as string,
    });
  });

  test('that failed without any reason waits for a person', async () => {
    const { call } = await runDaemon();
    const statusAfter = async (feedback: string) => {
      const { trace } = await call('traces.create', {
        task: feedback || 'Import',
        review: { result: 'fail', feedback },
      });
      return (await call('learnings.get', { id: trace.memoryId ?? '' })).status;
    };
    expect(await statusAfter('')).toBe('candidate');
    expect(await statusAfter('The file is in Latin-1, not in UTF-8.')).toBe('active');
  });

  test('without a comment that passed is told in the agent’s own words, with the error it got past', async () => {
    const { call } = await runDaemon();
    const said = 'I installed pg-native as well, because pg 9 needs it.';
    const { trace } = await call('traces.create', {
      task: 'Upgrade the database driver',
      trajectory: [
        { role: 'assistant', content: 'I bump it.', tool_calls: [{ name: 'Bash' }] },
        { role: 'tool', content: 'Error: Cannot find module pg-native' },
        { role: 'assistant', content: said },
        { role: 'assistant', content: 'Done.' },
      ],
      review: { result: 'pass' },
    });
    const { memories } = await call('memories.query', { task: 'Upgrade the database driver' });
    expect(memories).toMatchObject([
      {
        id: trace.memoryId,
        keyMistake: '',
        correctAction: '',
        reflection: `This went well for “Upgrade the database driver”: ${said} On the way: Error: Cannot find module pg-native`,
      },
    ]);
  });

  test('with a comment says it once', async () => {
    const { call } = await runDaemon();
    const feedback = 'Freeze the clock in the auth test instead of raising its timeout.';
    const task = 'Mend the flaky auth test';
    await call('traces.create', { task, review: { result: 'fail', feedback } });
    const { memories } = await call('memories.query', { task });
    expect(memories[0]?.reflection.split('Freeze the clock').length).toBe(2);
  });

  test('that is not reviewed leaves no memory', async () => {
    const { call } = await runDaemon();
    const { trace, reviews } = await call('traces.create', { task: 'Import', trajectory });
    expect([trace.memoryId, reviews]).toEqual([null, []]);
    expect((await call('traces.list', { unreviewed: true })).map(({ id }) => id)).toEqual([trace.id]);
    expect((await call('learnings.list', {})).total).toBe(0);
  });
});

describe('a task with its memories', () => {
  const memory = (n: number, success: boolean | null) => ({
    id: `m-${n}`,
    task: `Task ${n}`,
    reflection: `Reflection ${n}`,
    success,
    qValue: 0.5,
    similarity: 1,
    score: 1,
    summary: '',
    keyMistake: '',
    correctAction: '',
    applicableTools: [],
    guidance: '',
    toolsUsed: [],
    metadata: {},
  });

  test('is one text, grouped by outcome and numbered throughout', () => {
    expect(augment('Do it', [memory(1, false), memory(2, true), memory(3, null)])).toBe(
      [
        'Do it',
        '',
        'Relevant memories:',
        '',
        'Successful memories:',
        '',
        '--- Memory 1 ---',
        'Past task:',
        'Task 2',
        '',
        'Reflection:',
        'Reflection 2',
        '',
        'Failed memories:',
        '',
        '--- Memory 2 ---',
        'Past task:',
        'Task 1',
        '',
        'Reflection:',
        'Reflection 1',
        '',
        'Other memories:',
        '',
        '--- Memory 3 ---',
        'Past task:',
        'Task 3',
        '',
        'Reflection:',
        'Reflection 3',
      ].join('\n'),
    );
  });

  test('stays as it is when there are none', async () => {
    expect(augment('Do it', [])).toBe('Do it');
    const { call } = await runDaemon();
    expect(await call('memories.augment', { task: 'Do  it\n' })).toMatchObject({
      augmentedTask: 'Do  it',
      memories: [],
    });
  });

  test('is found by words, with a notice, while the embedder is not available', async () => {
    const { call } = await runDaemon();
    await create(call, 'Handle transient API failures', 'fail');
    const { augmentedTask, notices } = await call('memories.augment', { task: 'transient API failures' });
    expect(augmentedTask).toContain(
      'Failed memories:\n\n--- Memory 1 ---\nPast task:\nHandle transient API failures\n\nReflection:\nGuidance for',
    );
    expect(notices[0]).toContain('by words only');
  });
});

describe('a memory an agent writes itself', () => {
  test('is an ordinary learning that can be recalled, edited and undone', async () => {
    const { call } = await runDaemon();
    const id = await create(call, 'Deploy the preview', 'fail', {
      keyMistake: 'Forgot the migration',
      correctAction: 'Run migrate first',
      applicableTools: ['deploy'],
      metadata: { env: ['preview'] },
      agent: 'codex',
    });
    expect(await call('learnings.get', { id })).toMatchObject({
      outcome: 'fail',
      task: 'Deploy the preview',
      keyMistake: 'Forgot the migration',
      correctAction: 'Run migrate first',
      applicableTools: ['deploy'],
      provenance: { agent: 'codex' },
    });
    expect((await call('recall.search', { query: 'preview migration' })).hits[0]?.learning.id).toBe(id);
    const [change] = await call('learnings.history', { id });
    await call('changes.undo', { changeId: change?.id });
    expect((await call('memories.query', { task: 'Deploy the preview' })).memories).toEqual([]);
  });

  test('needs a task, a result, a summary and guidance', async () => {
    const { call } = await runDaemon();
    const whole = { task: 't', result: 'pass' as const, summary: 's', guidance: 'g' };
    for (const field of ['task', 'result', 'summary', 'guidance'] as const)
      await expect(call('memories.create', { ...whole, [field]: '' }), field).rejects.toThrow(
        new RegExp(field),
      );
    for (const wrong of [
      { lambda: 2 },
      { mmrLambda: -1 },
      { limit: 0 },
      { similarityThreshold: 1.5 },
      { metadataFilter: { a: {} } },
    ]) {
      await expect(
        call('memories.query', { task: 't', ...wrong } as { task: string }),
        JSON.stringify(wrong),
      ).rejects.toThrow(new RegExp(Object.keys(wrong)[0] ?? ''));
    }
  });
});
