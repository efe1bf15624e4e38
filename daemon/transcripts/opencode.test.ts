import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { recordsOf, testAdapter } from '../testing/adapter-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { openCode } from './opencode.ts';

const T = Date.UTC(2026, 5, 1, 9);
const SESSION = {
  id: 'ses_1',
  projectID: 'p',
  directory: '/home/ada/shop',
  title: 'Cart',
  version: '1.3.0',
  time: { created: T, updated: T },
};
const user = (id: string, seconds: number) => ({
  id,
  sessionID: 'ses_1',
  role: 'user',
  time: { created: T + seconds * 1_000 },
});
const assistant = (id: string, seconds: number, more: object = { completed: T }) => ({
  id,
  sessionID: 'ses_1',
  role: 'assistant',
  time: { created: T + seconds * 1_000, ...more },
  path: { cwd: '/home/ada/shop/web', root: '/home/ada/shop' },
});
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const tool = (name: string, callID: string, state: object) => ({ type: 'tool', tool: name, callID, state });

const MESSAGES = [
  {
    info: user('msg_1', 1),
    parts: [text('Make the cart faster'), text('The file cart.ts holds…', { synthetic: true })],
  },
  {
    info: assistant('msg_2', 2),
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm' },
      text('I will run the tests.'),
      tool('bash', 'c1', {
        status: 'completed',
        input: { command: 'npm test' },
        output: 'boom',
        metadata: { exit: 1 },
      }),
      tool('todowrite', 'c2', {
        status: 'completed',
        input: { todos: [{ content: 'Index', status: 'in_progress' }] },
        output: '',
      }),
      tool('question', 'c3', {
        status: 'completed',
        input: { questions: [{ question: 'Which cache?' }] },
        output: '',
        metadata: { answers: [['Redis']] },
      }),
      tool('edit', 'c4', {
        status: 'error',
        input: {},
        error:
          'The user rejected permission to use this specific tool call with the following feedback: keep the loop',
      }),
    ],
  },
  {
    info: { ...assistant('msg_3', 3), error: { name: 'MessageAbortedError', data: {} } },
    parts: [{ type: 'compaction', auto: true }],
  },
];

const where = { session: 'ses_1', subagent: false, branch: null };
const EVENTS = [
  {
    ...where,
    kind: 'prompt',
    text: 'Make the cart faster',
    uuid: 'msg_1',
    cwd: '/home/ada/shop',
    span: { start: 0, end: 1 },
  },
  { ...where, kind: 'meta' },
  {
    ...where,
    kind: 'reply',
    text: 'I will run the tests.',
    cwd: '/home/ada/shop/web',
    span: { start: 1, end: 2 },
  },
  { kind: 'tool_call', tool: 'bash', callId: 'c1' },
  { kind: 'tool_result', callId: 'c1', failed: true },
  { kind: 'tool_call', tool: 'todowrite' },
  { kind: 'todo', items: [{ text: 'Index', state: 'in_progress' }] },
  { kind: 'tool_result', callId: 'c2' },
  { kind: 'tool_call', tool: 'question' },
  { kind: 'tool_result', callId: 'c3' },
  { kind: 'prompt', text: 'Which cache? → Redis', via: 'answer' },
  { kind: 'tool_call', tool: 'edit' },
  { kind: 'tool_result', callId: 'c4', failed: true },
  { kind: 'permission', tool: 'edit', granted: false },
  { kind: 'prompt', text: 'keep the loop', via: 'rejection' },
  { ...where, kind: 'compaction', span: { start: 2, end: 3 } },
  { kind: 'interruption' },
] as const;
const unknown = '{"info":{"role":"user"},"parts":[{"type":"invented-tomorrow"}]}';

class OpenCodeHome {
  readonly path: string;
  readonly db: Database.Database;

  constructor(folder: string) {
    this.path = join(folder, 'opencode.db');
    this.db = new Database(this.path);
    this.db.pragma('journal_mode = WAL');
    this.db.exec(`
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT NOT NULL, parent_id TEXT, title TEXT);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
      CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL);
    `);
  }

  session(id: string, parent: string | null = null): void {
    this.db.prepare('INSERT INTO session VALUES (?, ?, ?, ?)').run(id, '/home/ada/shop', parent, 'Cart');
  }

  message(
    {
      info: { id, sessionID, ...data },
      parts,
    }: { info: { id: string; sessionID: string; time: { created: number } }; parts: object[] },
    session = sessionID,
  ): void {
    this.db
      .prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)')
      .run(id, session, data.time.created, T, JSON.stringify(data));
    parts.forEach((part, index) =>
      this.db
        .prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(`prt_${id}_${index}`, id, session, T, T, JSON.stringify(part)),
    );
  }
}

testAdapter(openCode, {
  file: 'opencode.db',
  unknown,
  events: [...EVENTS],
  content(folder) {
    const home = new OpenCodeHome(folder);
    home.session('ses_1');
    for (const message of MESSAGES) home.message(message);
    home.db.close();
  },
});

const write = (path: string, value: object) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
};

testAdapter(openCode, {
  file: 'storage/session/p/ses_1.json',
  unknown,
  events: [...EVENTS],
  content(folder) {
    write(join(folder, 'storage/session/p/ses_1.json'), SESSION);
    for (const { info, parts } of MESSAGES) {
      write(join(folder, 'storage/message/ses_1', `${info.id}.json`), info);
      parts.forEach((part, index) => write(join(folder, 'storage/part', info.id, `prt_${index}.json`), part));
    }
  },
});

test('what opencode export prints is read', () => {
  const path = join(tempFolder(), 'export.json');
  write(path, { info: SESSION, messages: MESSAGES });
  const parser = openCode.open(path);
  expect(
    recordsOf(parser, path).records.flatMap(({ text: record, span }) => parser.parse(record, span).events),
  ).toMatchObject([...EVENTS]);
});

function follow(home: OpenCodeHome) {
  let parser = openCode.open(home.path);
  let bookmark = '';
  return {
    read() {
      const { records, bookmark: next } = recordsOf(parser, home.path, bookmark);
      bookmark = next;
      return records.flatMap(({ text: record, span }) =>
        parser
          .parse(record, span)
          .events.map((event) => `${event.session}:${event.span.start} ${event.kind}`),
      );
    },
    restart() {
      parser = openCode.open(home.path);
    },
  };
}

test('sessions going on side by side are told apart, and each message is taken once it is finished', () => {
  const home = new OpenCodeHome(tempFolder());
  home.session('ses_1');
  home.session('ses_2', 'ses_1');
  home.message({ info: user('msg_1', 1), parts: [text('Go')] });
  const reader = follow(home);
  expect(reader.read()).toEqual([]); // its parts may still be on their way
  home.message({ info: assistant('msg_2', 2, {}), parts: [text('Work')] });
  home.message({ info: user('msg_3', 3), parts: [text('Look into it')] }, 'ses_2');
  home.message({ info: assistant('msg_4', 4), parts: [text('Found')] }, 'ses_2');
  expect(reader.read()).toEqual(['ses_1:0 prompt', 'ses_2:0 prompt', 'ses_2:1 reply']);
  expect(reader.read()).toEqual([]);
  reader.restart(); // the unfinished answer is older than what was taken elsewhere, and is not forgotten
  home.message({ info: assistant('msg_2', 2), parts: [text('Working on it')] });
  expect(reader.read()).toEqual(['ses_1:1 reply', 'ses_2:0 prompt', 'ses_2:1 reply']);
  reader.restart();
  expect(reader.read()).toEqual([]);
});

test('a session that has a parent is a subagent', () => {
  const home = new OpenCodeHome(tempFolder());
  home.session('ses_2', 'ses_1');
  home.message({ info: assistant('msg_4', 4), parts: [text('Found')] }, 'ses_2');
  const parser = openCode.open(home.path);
  expect(
    recordsOf(parser, home.path).records.flatMap(
      ({ text: record, span }) => parser.parse(record, span).events,
    ),
  ).toMatchObject([{ subagent: true }]);
});

test('what still stands in the write-ahead log is read, and its file stands for the database', () => {
  const home = new OpenCodeHome(tempFolder());
  home.session('ses_1');
  home.message({ info: assistant('msg_2', 2), parts: [text('Done')] });
  expect(follow(home).read()).toEqual(['ses_1:0 reply']);
  expect(openCode.mainFile?.('/x/opencode.db-wal')).toBe('/x/opencode.db');
  expect(
    ['opencode.db', 'opencode-dev.db', 'auth.json', 'opencode.db-wal', 'storage/part/m/p.json'].filter(
      (path) => openCode.matches(path),
    ),
  ).toEqual(['opencode.db', 'opencode-dev.db']);
});

test('an answer that never ended counts as ended once much was said elsewhere', () => {
  const home = new OpenCodeHome(tempFolder());
  home.session('ses_1');
  home.session('ses_2');
  home.message({ info: assistant('msg_1', 1, {}), parts: [text('Crashed')] });
  home.message({ info: assistant('msg_9', 7_200), parts: [text('Later')] }, 'ses_2');
  expect(follow(home).read()).toEqual(['ses_1:0 reply', 'ses_2:0 reply']);
});

test('a row that is no JSON is one bad record between good ones', () => {
  const home = new OpenCodeHome(tempFolder());
  home.session('ses_1');
  for (const [id, seconds] of [
    ['msg_1', 1],
    ['msg_2', 2],
    ['msg_3', 3],
  ] as const)
    home.message({ info: assistant(id, seconds), parts: [text('ok')] });
  home.db.prepare("UPDATE message SET data = '{broken' WHERE id = 'msg_2'").run();
  const parser = openCode.open(home.path);
  const outcome = recordsOf(parser, home.path).records.map(({ text: record, span }) => {
    try {
      return parser.parse(record, span).events.length;
    } catch {
      return 'bad';
    }
  });
  expect(outcome).toEqual([1, 'bad', 1]);
});

test('a file that is no database says so and is left as it is', () => {
  const path = join(tempFolder(), 'opencode.db');
  writeFileSync(path, 'this is no database, only some text that is long enough to have a header'.repeat(20));
  utimesSync(path, 1, 1);
  expect(() => recordsOf(openCode.open(path), path)).toThrow(/not a database/);
});
