import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf, testAdapter } from '../testing/adapter-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { gemini } from './gemini.ts';

const at = (second: number) => `2026-06-01T09:00:0${second}.000Z`;
const HEADER = {
  sessionId: 'g1',
  projectHash: 'abc',
  startTime: at(0),
  lastUpdated: at(1),
  kind: 'main',
  directories: ['/home/ada/shop'],
};
const call = (status: string, output?: string) => ({
  id: 'c1',
  name: 'run_shell_command',
  args: { command: 'npm test' },
  status,
  ...(output && { result: [{ functionResponse: { id: 'c1', response: { output } } }] }),
});
const ASKED = { id: 'm1', timestamp: at(1), type: 'user', content: [{ text: 'Run the tests' }] };
const ANSWERED = {
  id: 'm2',
  timestamp: at(2),
  type: 'gemini',
  content: 'Running.',
  toolCalls: [call('success', 'Output: boom\nExit Code: 1')],
};
const TODO = {
  id: 'm3',
  timestamp: at(3),
  type: 'gemini',
  content: '',
  toolCalls: [
    {
      id: 'c2',
      name: 'write_todos',
      status: 'success',
      args: { todos: [{ description: 'Fix', status: 'in_progress' }] },
    },
  ],
};
const CANCELLED = { id: 'm4', timestamp: at(4), type: 'info', content: 'Request cancelled.' };

const where = { session: 'g1', cwd: '/home/ada/shop', subagent: false };
const EVENTS = [
  { ...where, kind: 'prompt', text: 'Run the tests', uuid: 'm1' },
  { ...where, kind: 'reply', text: 'Running.' },
  { kind: 'tool_call', tool: 'run_shell_command', callId: 'c1' },
  { kind: 'tool_result', callId: 'c1', failed: true },
  { kind: 'tool_call', tool: 'write_todos' },
  { kind: 'todo', items: [{ text: 'Fix', state: 'in_progress' }] },
  { kind: 'tool_result', callId: 'c2' },
  { kind: 'interruption' },
] as const;
const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const unknown = '{"id":"m9","type":"invented-tomorrow"}';

testAdapter(gemini, {
  file: 'shop/chats/session-g1.jsonl',
  unknown,
  // The same record comes again as its tool calls come to an end; each event is reported once.
  content: lines(
    HEADER,
    ASKED,
    { $set: { lastUpdated: at(2) } },
    { ...ANSWERED, toolCalls: [call('executing')] },
    ANSWERED,
    ANSWERED,
    TODO,
    CANCELLED,
  ),
  events: [...EVENTS],
});
testAdapter(gemini, {
  file: 'shop/chats/session-g1.json',
  unknown,
  content: JSON.stringify({ ...HEADER, messages: [ASKED, ANSWERED, TODO, CANCELLED] }, null, 2),
  events: [...EVENTS],
});

const read = (content: string, path = 'shop/chats/s.jsonl') => {
  const parser = gemini.open(path);
  return content
    .trimEnd()
    .split('\n')
    .flatMap((text, index) => parser.parse(text, { start: index, end: index + 1 }).events);
};

test('a rewind says from which record on all is void', () => {
  expect(read(lines(HEADER, ASKED, ANSWERED, { $rewindTo: 'm1' })).at(-1)).toMatchObject({
    kind: 'meta',
    rewindTo: 'm1',
  });
});

test('messages that a change of the header brings are read, and those known already are not again', () => {
  expect(
    read(lines(HEADER, ASKED, { $set: { messages: [ASKED, ANSWERED] } })).map(({ kind }) => kind),
  ).toEqual(['prompt', 'reply', 'tool_call', 'tool_result']);
});

test('a subagent is known by its header or by its folder', () => {
  expect(read(lines({ ...HEADER, kind: 'subagent' }, ASKED))).toMatchObject([{ subagent: true }]);
  expect(read(lines(ASKED), '/x/shop/chats/g1/a1.jsonl')).toMatchObject([{ subagent: true }]);
});

test('where it was held is found by the marker of its folder, or in the list of projects', () => {
  const home = tempFolder();
  const chat = (project: string) => join(home, 'tmp', project, 'chats', 's.jsonl');
  for (const project of ['marked', 'listed']) mkdirSync(dirname(chat(project)), { recursive: true });
  writeFileSync(join(home, 'tmp', 'marked', '.project_root'), '/home/ada/marked\n');
  writeFileSync(join(home, 'projects.json'), JSON.stringify({ projects: { '/home/ada/listed': 'listed' } }));
  expect(['marked', 'listed'].map((project) => read(lines(ASKED), chat(project))[0]?.cwd)).toEqual([
    '/home/ada/marked',
    '/home/ada/listed',
  ]);
});

test('of a document that grew only what was added is read, also after a restart', () => {
  const path = join(tempFolder(), 'session.json');
  const write = (...messages: object[]) => writeFileSync(path, JSON.stringify({ ...HEADER, messages }));
  write(ASKED, { ...ANSWERED, toolCalls: [] });
  const parser = gemini.open(path);
  const first = recordsOf(parser, path);
  const told = (from: typeof parser, records: typeof first.records) =>
    records.flatMap(({ text, span }) => from.parse(text, span).events.map(({ kind }) => kind));
  expect(told(parser, first.records)).toEqual(['prompt', 'reply']);
  write(ASKED, ANSWERED, TODO);
  expect(told(parser, recordsOf(parser, path, first.bookmark).records)).toEqual([
    'tool_call',
    'tool_result',
    'tool_call',
    'todo',
    'tool_result',
  ]);
  const restarted = gemini.open(path);
  const again = recordsOf(restarted, path, first.bookmark).records;
  expect(told(restarted, again)).toEqual([
    'reply',
    'tool_call',
    'tool_result',
    'tool_call',
    'todo',
    'tool_result',
  ]); // its key keeps the reply from being noticed twice
  expect(again[0]?.span).toEqual({ start: 2, end: 3 });
});

test('a document that is half written is one bad record and read again once it changed', () => {
  const path = join(tempFolder(), 'session.json');
  writeFileSync(path, '{"sessionId":"g1","mess');
  const parser = gemini.open(path);
  const { records, bookmark } = recordsOf(parser, path);
  expect(records.map(({ text }) => text)).toEqual(['']);
  writeFileSync(path, JSON.stringify({ ...HEADER, messages: [ASKED] }));
  expect(recordsOf(parser, path, bookmark).records).toHaveLength(2);
});
