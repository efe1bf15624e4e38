import { expect, test } from 'vitest';
import { testAdapter } from '../testing/adapter-suite.ts';
import { copilot } from './copilot.ts';

let count = 0;
const line = (type: string, data: object) =>
  JSON.stringify({ type, data, id: `e${++count}`, timestamp: '2026-06-01T09:00:00.000Z', parentId: null });
const where = { session: 'c1', cwd: '/home/ada/shop', branch: 'main', subagent: false };
const SESSION = [
  line('session.start', { sessionId: 'c1', context: { cwd: '/home/ada/shop', branch: 'main' } }),
  line('user.message', { content: 'Run the tests', transformedContent: '<x>Run the tests' }),
  line('assistant.message', {
    content: 'Running.',
    toolRequests: [{ toolCallId: 't1', name: 'bash', arguments: { command: 'npm test' } }],
  }),
  line('tool.execution_start', { toolCallId: 't1', toolName: 'bash', arguments: { command: 'npm test' } }),
  line('permission.requested', { permissionRequest: { kind: 'shell', toolCallId: 't1' } }),
  line('permission.completed', {
    toolCallId: 't1',
    result: { kind: 'denied-interactively-by-user', feedback: 'use vitest' },
  }),
  line('tool.execution_complete', {
    toolCallId: 't1',
    success: true,
    result: { content: 'boom\n<shellId: 1 completed with exit code 1>' },
  }),
  line('assistant.message', {
    content: '',
    toolRequests: [{ toolCallId: 't2', name: 'ask_user', arguments: '{"question":"Which runner?"}' }],
  }),
  line('tool.execution_complete', {
    toolCallId: 't2',
    success: true,
    result: { content: 'User responded: vitest' },
  }),
  line('assistant.message', {
    content: '',
    toolRequests: [{ toolCallId: 't3', name: 'update_todo', arguments: { todos: '- [x] Run\n- [ ] Fix' } }],
  }),
  line('session.compaction_start', {}),
  line('session.compaction_complete', {}),
  line('abort', { reason: 'user initiated' }),
  line('hook.start', { hookType: 'postToolUse' }),
  '',
].join('\n');

const EVENTS = [
  { ...where, kind: 'prompt', text: 'Run the tests', via: 'typed' },
  { ...where, kind: 'reply', text: 'Running.' },
  { kind: 'tool_call', tool: 'bash', callId: 't1', input: '{"command":"npm test"}' },
  { kind: 'permission', tool: 'bash', granted: null },
  { kind: 'permission', tool: 'bash', granted: false },
  { kind: 'prompt', text: 'use vitest', via: 'rejection' },
  { kind: 'tool_result', callId: 't1', failed: true },
  { kind: 'tool_call', tool: 'ask_user' },
  { kind: 'tool_result', callId: 't2', failed: false },
  { kind: 'prompt', text: 'Which runner? → vitest', via: 'answer' },
  { kind: 'tool_call', tool: 'update_todo' },
  {
    kind: 'todo',
    items: [
      { text: 'Run', state: 'completed' },
      { text: 'Fix', state: 'pending' },
    ],
  },
  { kind: 'compaction' },
  { kind: 'interruption' },
] as const;

testAdapter(copilot, { file: 'c1/events.jsonl', content: SESSION, events: [...EVENTS] });
testAdapter(copilot, { file: 'c1.jsonl', content: SESSION, events: [...EVENTS] });

test('a session is named by its folder until its header is read', () => {
  const parser = copilot.open('/x/c9/events.jsonl');
  expect(parser.parse(line('user.message', { content: 'hi' }), { start: 0, end: 1 }).events).toMatchObject([
    { session: 'c9' },
  ]);
});

test('what a subagent says is marked by the call that started it', () => {
  expect(
    copilot
      .open('c.jsonl')
      .parse(line('assistant.message', { content: 'found', parentToolCallId: 't1' }), { start: 0, end: 1 })
      .events,
  ).toMatchObject([{ subagent: true }]);
});
