import { expect, test } from 'vitest';
import { testAdapter } from '../testing/adapter-suite.ts';
import type { TranscriptAdapter } from './adapter.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { grok } from './grok.ts';
import { ohMyPi, openClaw, pi } from './pi.ts';
import { qwen } from './qwen.ts';

const at = '2026-06-01T09:00:00.000Z';
const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const message = (id: string, content: object) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: at,
  message: content,
});

for (const adapter of [pi, ohMyPi, openClaw]) {
  testAdapter(adapter, {
    file: 'main/sessions/2026_p1.jsonl',
    content: lines(
      { type: 'session', version: 3, id: 'p1', timestamp: at, cwd: '/home/ada/shop' },
      { type: 'model_change', id: 'x', timestamp: at, modelId: 'm' },
      message('m1', { role: 'user', content: [{ type: 'text', text: 'List the files' }] }),
      message('m2', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Listing.' },
          { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } },
        ],
      }),
      message('m3', {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'bash',
        content: [{ type: 'text', text: 'no such folder' }],
        isError: true,
      }),
      { type: 'compaction', id: 'k', timestamp: at, summary: 'so far' },
    ),
    events: [
      {
        kind: 'prompt',
        text: 'List the files',
        via: 'typed',
        session: 'p1',
        cwd: '/home/ada/shop',
        uuid: 'm1',
      },
      { kind: 'reply', text: 'Listing.' },
      { kind: 'tool_call', tool: 'bash', callId: 'c1', input: '{"command":"ls"}' },
      { kind: 'tool_result', callId: 'c1', output: 'no such folder', failed: true },
      { kind: 'compaction' },
    ],
  });
}

const spoken = (type: string, parts: object[], more: object = {}) => ({
  uuid: `u-${type}`,
  sessionId: 'q1',
  timestamp: at,
  type,
  cwd: '/home/ada/shop',
  gitBranch: 'main',
  message: { role: type, parts },
  ...more,
});

testAdapter(qwen, {
  file: 'shop/chats/q1.jsonl',
  content: lines(
    spoken('user', [
      { text: 'Read it' },
      { text: '<qwen:user-prompt-submit-context>a hook</qwen:user-prompt-submit-context>' },
    ]),
    spoken('assistant', [
      { text: 'hm', thought: true },
      { text: 'Reading.' },
      { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a' } } },
    ]),
    spoken(
      'tool_result',
      [{ functionResponse: { id: 'c1', name: 'read_file', response: { output: 'gone' } } }],
      { toolCallResult: { status: 'error' } },
    ),
    spoken('user', [{ text: 'A task has ended' }], { subtype: 'notification' }),
    spoken('system', [], { subtype: 'ui_telemetry' }),
    spoken('system', [], { subtype: 'rewind', systemPayload: { targetUuid: 'u-user' } }),
  ),
  events: [
    { kind: 'prompt', text: 'Read it', session: 'q1', cwd: '/home/ada/shop', branch: 'main' },
    { kind: 'meta' },
    { kind: 'reply', text: 'Reading.' },
    { kind: 'tool_call', tool: 'read_file', callId: 'c1' },
    { kind: 'tool_result', callId: 'c1', output: 'gone', failed: true },
    { kind: 'meta', text: 'A task has ended' },
    { kind: 'meta', rewindTo: 'u-user' },
  ],
});

testAdapter(droid, {
  file: 'shop/d1.jsonl',
  content: lines(
    { type: 'session_start', id: 'd1', title: 't', cwd: '/home/ada/shop' },
    message('m1', {
      role: 'user',
      content: [{ type: 'text', text: '<system-reminder>\nbe brief\n</system-reminder>\n\nTidy up' }],
    }),
    message('m2', {
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'c1',
          name: 'TodoWrite',
          input: { todos: '1. [completed] Look\n2. [in_progress] Tidy' },
        },
      ],
    }),
    message('m3', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Error: Command failed (exit code: 1)' }],
    }),
  ),
  events: [
    { kind: 'prompt', text: 'Tidy up', session: 'd1', cwd: '/home/ada/shop' },
    { kind: 'tool_call', tool: 'TodoWrite' },
    {
      kind: 'todo',
      items: [
        { text: 'Look', state: 'completed' },
        { text: 'Tidy', state: 'in_progress' },
      ],
    },
    { kind: 'tool_result', callId: 'c1', failed: true },
  ],
});

const streamed = (type: string, more: object) => ({
  type,
  sessionId: 'd2',
  timestamp: Date.parse(at),
  ...more,
});

testAdapter(droid, {
  file: 'd2.jsonl',
  content: lines(
    streamed('system', { subtype: 'init', cwd: '/home/ada/shop' }),
    streamed('message', { role: 'user', text: 'List' }),
    streamed('tool_call', { id: 'c1', toolName: 'Execute', parameters: { command: 'ls' } }),
    streamed('tool_result', { id: 'c1', value: { stdout: 'a', exitCode: 2 } }),
    streamed('completion', { finalText: 'Done' }),
  ),
  events: [
    { kind: 'prompt', text: 'List', session: 'd2', cwd: '/home/ada/shop', at: Date.parse(at) },
    { kind: 'tool_call', tool: 'Execute', callId: 'c1' },
    { kind: 'tool_result', callId: 'c1', output: 'a', failed: true },
    { kind: 'reply', text: 'Done' },
  ],
});

testAdapter(cursor, {
  file: 'home-ada-shop/agent-transcripts/k1/k1.jsonl',
  content: lines(
    {
      role: 'user',
      message: { content: [{ type: 'text', text: '<user_query>\nList the files\n</user_query>' }] },
    },
    {
      role: 'assistant',
      message: {
        content: [
          { type: 'text', text: 'Here.' },
          { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
          { type: 'card', text: 'A new kind of block.' },
        ],
      },
    },
    { type: 'turn_ended', status: 'success' },
  ),
  events: [
    { kind: 'prompt', text: 'List the files', session: 'k1', subagent: false },
    { kind: 'reply', text: 'Here.' },
    { kind: 'tool_call', tool: 'Bash' },
    { kind: 'reply', text: 'A new kind of block.' },
  ],
});

testAdapter(grok, {
  file: '%2Fhome%2Fada%2Fshop/r1/chat_history.jsonl',
  content: lines(
    { type: 'system', content: 'You are helpful.' },
    {
      type: 'user',
      content: [{ type: 'text', text: '<user_info>linux</user_info>' }],
      synthetic_reason: 'environment_context',
    },
    { type: 'user', content: [{ type: 'text', text: 'Read it' }], prompt_index: 0 },
    {
      type: 'assistant',
      content: 'Reading.',
      tool_calls: [{ id: 'c1', name: 'read_file', arguments: '{"target_file":"a"}' }],
    },
    { type: 'tool_result', tool_call_id: 'c1', content: 'text' },
  ),
  events: [
    { kind: 'meta' },
    { kind: 'prompt', text: 'Read it', session: 'r1', cwd: '/home/ada/shop' },
    { kind: 'reply', text: 'Reading.' },
    { kind: 'tool_call', tool: 'read_file', input: '{"target_file":"a"}' },
    { kind: 'tool_result', callId: 'c1', failed: false },
  ],
});

const read = (adapter: TranscriptAdapter, text: string, path = 'x.jsonl') =>
  adapter.open(path).parse(text, { start: 0, end: 1 });

test('two records that a crash left in one line are both read', () => {
  const glued =
    lines(spoken('user', [{ text: 'one' }])).trim() + lines(spoken('assistant', [{ text: 'two' }])).trim();
  expect(read(qwen, glued).events.map(({ kind }) => kind)).toEqual(['prompt', 'reply']);
});

test('a transcript in a folder of subagents is a subagent', () => {
  expect(
    read(cursor, '{"role":"user","message":{"content":"x"}}', '/a/subagents/c.jsonl').events,
  ).toMatchObject([{ subagent: true }]);
});

test('a message without anything in it is no record', () => {
  expect(() => read(pi, '{"type":"message","message":{"role":"user"}}')).toThrow();
});
