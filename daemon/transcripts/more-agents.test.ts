import { createHash } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type RecordedSession, recordsOf, testAdapter } from '../testing/adapter-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { amp } from './amp.ts';
import { antigravity } from './antigravity.ts';
import { cline, roo } from './cline.ts';
import { cursor } from './cursor.ts';
import { goose } from './goose.ts';
import { kimi } from './kimi.ts';

const AT = Date.UTC(2026, 5, 1, 9);
const ISO = '2026-06-01T09:00:00Z';
const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const turn = (type: string, said: string, kind = 'user') => ({
  type,
  input: [{ type: 'text', text: said }],
  origin: { kind },
  time: AT,
});
const step = (event: object) => ({ type: 'context.append_loop_event', event, time: AT });
const WIRE = lines(
  { type: 'metadata', protocol_version: '1.4', created_at: AT },
  { type: 'config.update', time: AT },
  turn('turn.prompt', 'Run the tests'),
  { type: 'context.append_message', message: { role: 'user', content: [] }, time: AT },
  step({ type: 'step.begin', uuid: 'u0' }),
  step({ type: 'content.part', uuid: 'u1', part: { type: 'think', think: 'hm' } }),
  step({ type: 'tool.call', uuid: 'c1', toolCallId: 'c1', name: 'Bash', args: { command: 'npm test' } }),
  {
    type: 'permission.record_approval_result',
    toolName: 'Bash',
    result: { decision: 'rejected', feedback: 'Use pnpm' },
    time: AT,
  },
  step({ type: 'tool.result', toolCallId: 'c1', result: { output: 'refused', isError: true } }),
  step({ type: 'content.part', uuid: 'u2', part: { type: 'text', text: 'I use pnpm.' } }),
  turn('turn.steer', 'stop'),
  { type: 'turn.cancel', time: AT },
  turn('turn.prompt', 'continue', 'system_trigger'),
  { type: 'context.apply_compaction', summary: 'so far', time: AT },
);

testAdapter(kimi, {
  file: 'wd_shop/session_k1/agents/main/wire.jsonl',
  content: (folder) =>
    write(folder, {
      'wd_shop/session_k1/state.json': JSON.stringify({ workDir: '/home/ada/shop' }),
      'wd_shop/session_k1/agents/main/wire.jsonl': WIRE,
    }),
  events: [
    { kind: 'prompt', text: 'Run the tests', session: 'session_k1', cwd: '/home/ada/shop', subagent: false },
    { kind: 'tool_call', tool: 'Bash', callId: 'c1', input: '{"command":"npm test"}' },
    { kind: 'permission', tool: 'Bash', granted: false },
    { kind: 'prompt', text: 'Use pnpm', via: 'rejection' },
    { kind: 'tool_result', callId: 'c1', output: 'refused', failed: true },
    { kind: 'reply', text: 'I use pnpm.' },
    { kind: 'prompt', text: 'stop', via: 'queued' },
    { kind: 'interruption' },
    { kind: 'meta', text: 'continue' },
    { kind: 'compaction' },
  ],
});

test('kimi: a subagent is a session of its own in which no person spoke', () => {
  const folder = tempFolder();
  write(folder, {
    'wd/session_k1/agents/agent-0/wire.jsonl': lines(turn('turn.prompt', 'Count', 'system_trigger')),
  });
  const parser = kimi.open(join(folder, 'wd/session_k1/agents/agent-0/wire.jsonl'));
  const { events } = parser.parse(JSON.stringify(turn('turn.prompt', 'Count')), { start: 0, end: 1 });
  expect(events).toMatchObject([{ session: 'session_k1/agent-0', subagent: true }]);
});

const done = (index: number, type: string, more: object = {}) => ({
  step_index: index,
  source: 'MODEL',
  type,
  status: 'DONE',
  created_at: ISO,
  ...more,
});
testAdapter(antigravity, {
  file: join('a1', '.system_generated', 'logs', 'transcript.jsonl'),
  content: lines(
    done(0, 'USER_INPUT', {
      source: 'USER_EXPLICIT',
      content: '<USER_REQUEST>\nList it\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>x</USER_SETTINGS_CHANGE>',
    }),
    done(1, 'CONVERSATION_HISTORY', { source: 'SYSTEM' }),
    done(2, 'PLANNER_RESPONSE', {
      thinking: 'hm',
      tool_calls: [{ name: 'run_command', args: { CommandLine: '"ls"', Cwd: '"/home/ada/shop"' } }],
    }),
    done(3, 'RUN_COMMAND', { content: 'The command failed with exit code: 2' }),
    done(4, 'PLANNER_RESPONSE', { content: 'It failed.' }),
    done(5, 'CHECKPOINT', { source: 'SYSTEM', content: '# Resuming' }),
  ),
  events: [
    { kind: 'prompt', text: 'List it', session: 'a1' },
    { kind: 'tool_call', tool: 'run_command', input: '{"CommandLine":"ls","Cwd":"/home/ada/shop"}' },
    { kind: 'tool_result', callId: 'a1:2.0', failed: true, cwd: '/home/ada/shop' },
    { kind: 'reply', text: 'It failed.' },
    { kind: 'compaction' },
  ],
});

testAdapter(amp, {
  file: 'T-0199-aa.json',
  content: JSON.stringify({
    v: 12,
    id: 'T-0199-aa',
    created: AT,
    env: { initial: { trees: [{ displayName: 'shop', uri: 'file:///home/ada/shop' }] } },
    messages: [
      { role: 'user', messageId: 0, content: [{ type: 'text', text: 'Run it' }], meta: { sentAt: AT } },
      {
        role: 'assistant',
        messageId: 1,
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Running.' },
          { type: 'tool_use', id: 'c1', name: 'Bash', input: { cmd: 'npm test' } },
        ],
      },
      {
        role: 'user',
        messageId: 2,
        content: [
          {
            type: 'tool_result',
            toolUseID: 'c1',
            run: { status: 'done', result: { output: 'red', exitCode: 1 } },
          },
        ],
      },
    ],
  }),
  events: [
    { kind: 'prompt', text: 'Run it', session: 'T-0199-aa', cwd: '/home/ada/shop', at: AT },
    { kind: 'reply', text: 'Running.' },
    { kind: 'tool_call', tool: 'Bash', callId: 'c1' },
    { kind: 'tool_result', callId: 'c1', output: 'red', failed: true },
  ],
});

const GOOSE = [
  { role: 'user', content: [{ type: 'text', text: 'Run it' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Running.' },
      {
        type: 'toolRequest',
        id: 'c1',
        toolCall: {
          status: 'success',
          value: { name: 'developer__shell', arguments: { command: 'npm test' } },
        },
      },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'toolResponse', id: 'c1', toolResult: { status: 'error', error: 'it is red' } }],
  },
];
const GOOSE_EVENTS: RecordedSession['events'] = [
  { kind: 'prompt', text: 'Run it', session: 'g1', cwd: '/home/ada/shop', at: AT },
  { kind: 'reply', text: 'Running.' },
  { kind: 'tool_call', tool: 'developer__shell', callId: 'c1', input: '{"command":"npm test"}' },
  { kind: 'tool_result', callId: 'c1', output: 'it is red', failed: true },
];

testAdapter(goose, {
  file: 'sessions.db',
  content: (folder) => {
    const db = new Database(join(folder, 'sessions.db'));
    db.exec(`CREATE TABLE sessions (id TEXT PRIMARY KEY, working_dir TEXT NOT NULL, created_at TIMESTAMP);
      CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL);
      INSERT INTO sessions VALUES ('g1', '/home/ada/shop', '2026-06-01')`);
    const add = db.prepare(
      'INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?)',
    );
    for (const { role, content } of GOOSE) add.run('g1', role, JSON.stringify(content), AT / 1_000);
    db.close();
  },
  events: GOOSE_EVENTS,
});

testAdapter(goose, {
  file: 'g1.jsonl',
  content: lines(
    { working_dir: '/home/ada/shop', description: 'shop', message_count: 3 },
    ...GOOSE.map((message) => ({ ...message, created: AT / 1_000 })),
  ),
  events: GOOSE_EVENTS,
});

const bubble = (id: string, type: 1 | 2, seconds: number, more: object) => [
  `bubbleId:c1:${id}`,
  { _v: 3, bubbleId: id, type, createdAt: new Date(AT + seconds * 1_000).toISOString(), ...more },
];
const terminal = (command: string, more: object) => ({
  text: '',
  toolFormerData: {
    name: 'run_terminal_command_v2',
    toolCallId: 't1',
    status: 'completed',
    params: JSON.stringify({ command }),
    ...more,
  },
});
// In another order than the conversation, as a table of keys has them.
const BUBBLES = [
  bubble('b9', 1, 0, { text: 'Run the tests' }),
  bubble('b3', 2, 1, { text: '', thinking: { text: 'hm' } }),
  bubble('b7', 2, 2, terminal('npm test', { result: JSON.stringify({ output: 'red', exitCode: 1 }) })),
  bubble('b1', 1, 3, { text: 'Use pnpm here' }),
  bubble(
    'b5',
    2,
    4,
    terminal('pnpm publish', { additionalData: { status: 'rejected' }, result: '{"rejected":true}' }),
  ),
  bubble('b0', 2, 5, { text: 'I use pnpm.' }),
] as Array<[string, { bubbleId: string; type: number }]>;
const CONVERSATION = {
  _v: 16,
  composerId: 'c1',
  createdAt: AT,
  lastUpdatedAt: AT + 9_000,
  status: 'completed',
  workspaceIdentifier: { uri: { fsPath: '/home/ada/shop' } },
};

/** The editor's database: new versions list the conversations apart, old ones keep the messages in them. */
function cursorDatabase(folder: string, form: 'new' | 'split' | 'inline', status = 'completed'): void {
  const db = new Database(join(folder, 'state.vscdb'));
  db.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
  const put = db.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)');
  const headers = BUBBLES.map(([, { bubbleId, type }]) => ({ bubbleId, type }));
  const messages =
    form === 'inline'
      ? { conversation: BUBBLES.map(([, message]) => message) }
      : { fullConversationHeadersOnly: headers };
  put.run('composerData:c1', Buffer.from(JSON.stringify({ ...CONVERSATION, status, ...messages })));
  put.run('composerData:empty', null);
  if (form !== 'inline')
    for (const [key, message] of BUBBLES.toSorted()) put.run(key, JSON.stringify(message));
  if (form === 'new') {
    db.exec(`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER,
      isSubagent INTEGER, value TEXT)`);
    db.prepare('INSERT INTO composerHeaders VALUES (?, ?, ?, ?, 0, ?)').run(
      'c1',
      'w1',
      AT,
      AT + 9_000,
      JSON.stringify(CONVERSATION),
    );
  }
  db.close();
}

const CURSOR_EVENTS = [
  {
    kind: 'prompt' as const,
    text: 'Run the tests',
    session: 'c1',
    cwd: '/home/ada/shop',
    at: AT,
    uuid: 'b9',
  },
  { kind: 'tool_call' as const, tool: 'run_terminal_command_v2', callId: 't1', at: AT + 2_000 },
  { kind: 'tool_result' as const, callId: 't1', failed: true },
  { kind: 'prompt' as const, text: 'Use pnpm here' },
  { kind: 'tool_call' as const, input: '{"command":"pnpm publish"}' },
  { kind: 'tool_result' as const, failed: true },
  { kind: 'reply' as const, text: 'I use pnpm.' },
];
for (const form of ['new', 'split', 'inline'] as const)
  testAdapter(cursor, {
    file: 'state.vscdb',
    content: (folder) => cursorDatabase(folder, form),
    events: CURSOR_EVENTS,
  });

test('an answer that Cursor is still writing is taken once it is complete', () => {
  const folder = tempFolder();
  cursorDatabase(folder, 'new', 'generating');
  const path = join(folder, 'state.vscdb');
  const parser = cursor.open(path);
  const first = recordsOf(parser, path);
  expect(first.records).toHaveLength(BUBBLES.length - 1);
  const db = new Database(path);
  db.prepare(
    `UPDATE cursorDiskKV SET value = replace(CAST(value AS TEXT), 'generating', 'completed') WHERE key LIKE 'composerData:c1'`,
  ).run();
  db.prepare('UPDATE composerHeaders SET lastUpdatedAt = lastUpdatedAt + 1').run();
  db.close();
  for (const reader of [parser, cursor.open(path)])
    expect(recordsOf(reader, path, first.bookmark).records).toMatchObject([
      { text: expect.stringContaining('I use pnpm.') as string },
    ]);
});

const TYPED = (said: string) =>
  `<timestamp>Monday, Jun 1, 2026, 11:00 AM (UTC+2)</timestamp>\n<user_query>\n${said}\n</user_query>`;
const CHAT = [
  { role: 'system', content: 'You are an AI coding assistant.' },
  { role: 'user', content: '<user_info>\nWorkspace Path: /home/ada/shop\n</user_info>\n<rules>none</rules>' },
  { role: 'user', content: [{ type: 'text', text: TYPED('Run the tests') }] },
  {
    role: 'assistant',
    id: 'm1',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Running.' },
      { type: 'tool-call', toolCallId: 't1', toolName: 'Shell', args: { command: 'npm test' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Shell', result: 'Exit code: 1\nred' }],
    providerOptions: { cursor: { highLevelToolCallResult: { isError: false } } },
  },
  { role: 'user', content: [{ type: 'text', text: TYPED('Use pnpm here') }] },
];
const STORE = 'chats/5f4dcc3b/c1/store.db';

const bytesOf = (number: number, bytes: Buffer) => Buffer.from([number * 8 + 2, bytes.length, ...bytes]);

/** The command line's store: blobs by their hash, and a root that lists them after a number it does not need. */
function cursorChat(folder: string, hoursAgo = 2): void {
  const path = join(folder, STORE);
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.exec(
    'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
  );
  const put = (data: Buffer) => {
    const hash = createHash('sha256').update(data).digest();
    db.prepare('INSERT INTO blobs VALUES (?, ?)').run(hash.toString('hex'), data);
    return hash;
  };
  const listed = CHAT.map((message) => bytesOf(1, put(Buffer.from(JSON.stringify(message)))));
  const root = put(
    Buffer.concat([...listed, Buffer.from([0x50, 0x01]), bytesOf(9, Buffer.from('file:///home/ada/shop'))]),
  );
  const meta = { agentId: 'c1', latestRootBlobId: root.toString('hex'), createdAt: AT };
  db.prepare('INSERT INTO meta VALUES (?, ?)').run('0', Buffer.from(JSON.stringify(meta)).toString('hex'));
  db.close();
  const at = Date.now() / 1_000 - hoursAgo * 3_600;
  utimesSync(path, at, at);
}

testAdapter(cursor, {
  file: STORE,
  content: cursorChat,
  events: [
    { kind: 'meta' },
    { kind: 'prompt', text: 'Run the tests', session: 'c1', cwd: '/home/ada/shop', at: AT },
    { kind: 'reply', text: 'Running.' },
    { kind: 'tool_call', tool: 'Shell', callId: 't1' },
    { kind: 'tool_result', callId: 't1', failed: true },
    { kind: 'prompt', text: 'Use pnpm here' },
  ],
});

test('a chat of Cursor’s command line is left to its transcript, and until an hour has passed without one', () => {
  const folder = tempFolder();
  const records = () => recordsOf(cursor.open(join(folder, STORE)), join(folder, STORE)).records;
  cursorChat(folder, 0.5);
  expect(records()).toEqual([]);
  const longAgo = Date.now() / 1_000 - 7_200;
  utimesSync(join(folder, STORE), longAgo, longAgo);
  expect(records()).toHaveLength(CHAT.length + 1);
  write(folder, { 'projects/home-ada-shop/agent-transcripts/c1/c1.jsonl': '' });
  expect(records()).toEqual([]);
});

const panel = (index: number, type: 'say' | 'ask', kind: string, said: string, more: object = {}) => ({
  ts: AT + index,
  type,
  [type]: kind,
  text: said,
  ...more,
});
const PANEL = JSON.stringify([
  panel(0, 'say', 'task', 'Run the tests'),
  panel(1, 'say', 'api_req_started', '{}'),
  panel(2, 'say', 'text', 'Running.'),
  panel(3, 'ask', 'command', 'npm test'),
  panel(4, 'say', 'command_output', 'red\nexited with code 1'),
  panel(5, 'say', 'user_feedback', 'Use pnpm here'),
  panel(6, 'ask', 'tool', JSON.stringify({ tool: 'editedExistingFile', path: 'package.json' })),
  panel(7, 'say', 'text', 'half a sen', { partial: true }),
]);
for (const adapter of [cline, roo]) {
  testAdapter(adapter, {
    file: join('t1', 'ui_messages.json'),
    content: (folder) =>
      write(folder, {
        't1/ui_messages.json': PANEL,
        't1/api_conversation_history.json': JSON.stringify([
          {
            role: 'user',
            content: [{ type: 'text', text: '# Current Working Directory (/home/ada/shop) Files' }],
          },
        ]),
      }),
    events: [
      { kind: 'prompt', text: 'Run the tests', session: 't1', cwd: '/home/ada/shop', at: AT },
      { kind: 'reply', text: 'Running.' },
      { kind: 'tool_call', tool: 'execute_command', input: '{"command":"npm test"}' },
      { kind: 'tool_result', callId: `t1:${AT + 3}`, failed: true },
      { kind: 'prompt', text: 'Use pnpm here' },
      { kind: 'tool_call', tool: 'editedExistingFile' },
    ],
  });
}
