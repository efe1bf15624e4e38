import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { recordsOf, testAdapter } from '../testing/adapter-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { codex } from './codex.ts';

const at = '2026-06-01T09:00:00.000Z';
const line = (type: string, payload: object) => `${JSON.stringify({ timestamp: at, type, payload })}\n`;
const event = (type: string, payload: object = {}) => line('event_msg', { type, ...payload });
const item = (type: string, payload: object = {}) => line('response_item', { type, ...payload });
const meta = (more: object = {}) =>
  line('session_meta', {
    id: 't1',
    cwd: '/home/ada/shop',
    source: 'cli',
    git: { branch: 'feat/x' },
    ...more,
  });
const call = (id: string, name: string, input: object) =>
  item('function_call', { name, arguments: JSON.stringify(input), call_id: id });
const output = (id: string, text: unknown) => item('function_call_output', { call_id: id, output: text });

const where = { session: 't1', cwd: '/home/ada/shop', branch: 'feat/x', subagent: false };
const SESSION = [
  meta(),
  line('turn_context', { cwd: '/home/ada/shop', model: 'm' }),
  item('message', {
    role: 'user',
    content: [{ type: 'input_text', text: '# AGENTS.md instructions for /home/ada/shop' }],
  }),
  item('message', { role: 'user', content: [{ type: 'input_text', text: 'Make the cart faster' }] }),
  event('user_message', { message: 'Make the cart faster' }),
  event('agent_message', { message: 'I look at the queries.' }),
  item('message', { role: 'assistant', content: [{ type: 'output_text', text: 'I look at the queries.' }] }),
  call('c1', 'exec_command', { cmd: 'npm test' }),
  output('c1', 'Chunk ID: 1\nProcess exited with code 1\nOutput:\n2 failed'),
  call('c2', 'update_plan', {
    plan: [
      { step: 'Add an index', status: 'in_progress' },
      { step: 'Measure', status: 'pending' },
    ],
  }),
  item('custom_tool_call', { name: 'apply_patch', input: '*** Begin Patch', call_id: 'c3' }),
  item('custom_tool_call_output', { call_id: 'c3', output: 'Exit code: 0\nSuccess.' }),
  call('c4', 'exec_command', { cmd: 'git commit -am "perf(cart): an index"' }),
  output('c4', 'Process exited with code 0\nOutput:\n[feat/x 1a2b3c4] perf(cart): an index\n 1 file changed'),
  call('c5', 'request_user_input', { questions: [{ id: 'q1', question: 'Which cache?' }] }),
  output('c5', JSON.stringify({ answers: { q1: { answers: ['Redis'] } } })),
  line('compacted', { message: 'so far' }),
  event('context_compacted'),
  event('turn_aborted', { reason: 'interrupted' }),
  event('token_count', { info: null }),
].join('');

const EVENTS = [
  { ...where, kind: 'prompt', text: 'Make the cart faster', via: 'typed' },
  { ...where, kind: 'reply', text: 'I look at the queries.' },
  { kind: 'tool_call', tool: 'exec_command', callId: 'c1', input: '{"cmd":"npm test"}' },
  { kind: 'tool_result', callId: 'c1', failed: true },
  { kind: 'tool_call', tool: 'update_plan' },
  {
    kind: 'todo',
    items: [
      { text: 'Add an index', state: 'in_progress' },
      { text: 'Measure', state: 'pending' },
    ],
  },
  { kind: 'tool_call', tool: 'apply_patch', input: '*** Begin Patch' },
  { kind: 'tool_result', callId: 'c3', failed: false },
  { kind: 'tool_call', tool: 'exec_command' },
  { kind: 'tool_result', callId: 'c4', failed: false },
  { kind: 'git', sha: '1a2b3c4', message: 'perf(cart): an index' },
  { kind: 'tool_call', tool: 'request_user_input' },
  { kind: 'tool_result', callId: 'c5' },
  { kind: 'prompt', text: 'Which cache? → Redis', via: 'answer' },
  { kind: 'compaction' },
  { kind: 'interruption' },
] as const;

testAdapter(codex, { file: '2026/06/01/rollout-t1.jsonl', content: SESSION, events: [...EVENTS] });
testAdapter(codex, {
  file: 'rollout-t1.jsonl.zst',
  content: (folder) => writeFileSync(join(folder, 'rollout-t1.jsonl.zst'), zstdCompressSync(SESSION)),
  events: [...EVENTS],
});

const read = (content: string) => {
  const parser = codex.open('rollout.jsonl');
  return content
    .trimEnd()
    .split('\n')
    .flatMap((text, index) => parser.parse(text, { start: index, end: index + 1 }).events);
};

test.each([
  ['its source', { source: { subagent: { thread_spawn: {} } } }],
  ['its thread source', { thread_source: 'subagent' }],
  ['its parent', { parent_thread_id: 't0' }],
])('a thread is a subagent by %s', (_what, more) => {
  expect(read(meta(more) + event('user_message', { message: 'look into it' }))).toMatchObject([
    { kind: 'prompt', subagent: true },
  ]);
});

test('a fork keeps its own name when it brings along the headers of the threads it came from', () => {
  expect(
    read(meta() + meta({ id: 't0', parent_thread_id: 'x' }) + event('user_message', { message: 'go on' })),
  ).toMatchObject([{ session: 't1', subagent: false }]);
});

test('the same prompt typed twice is two prompts', () => {
  const said = event('user_message', { message: 'continue' });
  expect(read(meta() + said + said)).toHaveLength(2);
});

test('of what the editor adds to a prompt only the request is what a person typed', () => {
  const message =
    '# Context from my IDE setup:\n\n## Open tabs:\n- cart.ts\n\n## My request for Codex:\nrename it';
  expect(read(meta() + event('user_message', { message }))).toMatchObject([{ text: 'rename it' }]);
});

test('items without an envelope, as the first versions wrote them, are read', () => {
  const bare = [
    { id: 'old', timestamp: at, instructions: null },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello there' }] },
    { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls', '-l'] } },
    {
      type: 'function_call_output',
      call_id: 'c',
      output: '{"output":"no such folder","metadata":{"exit_code":2}}',
    },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n');
  expect(read(bare)).toMatchObject([
    { kind: 'prompt', text: 'Hello there', session: 'old' },
    { kind: 'tool_call', tool: 'local_shell' },
    { kind: 'tool_result', output: 'no such folder', failed: true },
  ]);
});

describe('a compressed transcript', () => {
  const compressed = (content: string | Buffer, cut = 0) => {
    const path = join(tempFolder(), 'rollout-t1.jsonl.zst');
    const bytes = zstdCompressSync(content);
    writeFileSync(path, bytes.subarray(0, bytes.length - cut));
    return path;
  };

  test('has every record at the place it had before, so that nothing is noticed twice', () => {
    const plain = join(tempFolder(), 'rollout-t1.jsonl');
    writeFileSync(plain, SESSION);
    const path = compressed(SESSION);
    expect(recordsOf(codex.open(path), path).records).toEqual(recordsOf(codex.open(plain), plain).records);
  });

  test('many times as large as what is held at once gives every line', () => {
    const many = Array.from({ length: 20_000 }, (_, index) =>
      event('user_message', { message: `prompt ${index} ${'x'.repeat(index % 300)}` }),
    ).join('');
    const path = compressed(many);
    expect(
      recordsOf(codex.open(path), path)
        .records.map(({ text }) => text)
        .join('\n'),
    ).toBe(many.trimEnd());
  });

  test('that breaks off gives what is whole and then one bad record', () => {
    const noise = Array.from({ length: 3_000 }, (_, index) =>
      event('user_message', { message: `${Math.sin(index)}` }),
    ).join('');
    const path = compressed(noise, 5_000);
    const { records } = recordsOf(codex.open(path), path);
    expect(records.length).toBeGreaterThan(1);
    expect(records.at(-1)?.text).toBe('');
  });
});
