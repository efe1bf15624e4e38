import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf } from '../testing/adapter-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { AGENTS } from './agents.ts';
import { configuredFolders } from './folders.ts';

test('a setting names folders, each for an agent we know, one we do not, or any', () => {
  const setting = ['codex=/old/codex', 'mine=/talks', '/plain', ' '].join(delimiter);
  expect(
    configuredFolders(setting, AGENTS).map(({ agent, roots }) => [agent, roots('/home/ada', {})]),
  ).toEqual([
    ['codex', ['/old/codex']],
    ['mine', ['/talks']],
    ['other', ['/plain']],
  ]);
  expect(configuredFolders('', AGENTS)).toEqual([]);
});

test('what unknown agents write is read as JSON lines, as a document and as markdown', () => {
  const folder = tempFolder();
  const files = {
    'a.jsonl':
      '{"role":"user","content":"use pnpm","timestamp":"2026-06-01T09:00:00Z"}\n{"role":"assistant","content":"Fine."}\n',
    'b.json': JSON.stringify({
      session_id: 's',
      cwd: '/home/ada/shop',
      messages: [
        { role: 'user', content: 'use pnpm' },
        { role: 'assistant', content: 'Fine.' },
      ],
    }),
    'c.json': JSON.stringify([
      { role: 'user', content: 'use pnpm' },
      { role: 'assistant', content: 'Fine.' },
    ]),
    'd.md': '## User\nuse pnpm\n## Assistant\nFine.\n## User\n',
  };
  const [adapter] = configuredFolders(folder, AGENTS);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, content);
    expect(adapter?.matches(name)).toBe(true);
    const parser = adapter?.open(path);
    const told = parser
      ? recordsOf(parser, path).records.flatMap(({ text, span }) => parser.parse(text, span).events)
      : [];
    expect(
      told.map((event) => [event.kind, 'text' in event && event.text]),
      name,
    ).toEqual([
      ['prompt', 'use pnpm'],
      ['reply', 'Fine.'],
    ]);
    expect(
      told.every(({ at }) => at > 0),
      name,
    ).toBe(true);
  }
});

const WRITTEN = {
  'claude-code': {
    type: 'user',
    parentUuid: null,
    uuid: 'u1',
    sessionId: 's',
    message: { role: 'user', content: 'use pnpm' },
  },
  codex: { type: 'response_item', payload: { type: 'message' } },
  'copilot-cli': { type: 'user.message', data: { content: 'use pnpm' } },
  'gemini-cli': { sessionId: 's', projectHash: 'h', startTime: '2026-06-01T09:00:00Z' },
  qwen: { type: 'user', parentUuid: null, message: { role: 'user', parts: [{ text: 'use pnpm' }] } },
  pi: { type: 'session', version: 3, id: 's', cwd: '/home/ada/shop' },
  droid: { type: 'session_start', id: 's', owner: 'ada', cwd: '/home/ada/shop' },
  other: { role: 'user', content: 'use pnpm' },
};

test.each(Object.entries(WRITTEN))(
  'a file of %s is recognised in a folder without a name',
  (agent, record) => {
    const path = join(tempFolder(), 'a.jsonl');
    writeFileSync(path, `{"type":"summary"}\n${JSON.stringify(record)}\n`);
    const [adapter] = configuredFolders(tempFolder(), AGENTS);
    expect(adapter?.forFile?.(path)?.agent).toBe(agent);
  },
);

test('a file waits for its first record, and one of an ignored agent is not read', () => {
  const path = join(tempFolder(), 'a.jsonl');
  const line = JSON.stringify(WRITTEN['claude-code']);
  writeFileSync(path, line.slice(0, -5));
  const [adapter] = configuredFolders(tempFolder(), AGENTS);
  const [ignoring] = configuredFolders(tempFolder(), AGENTS, ({ agent }) => agent !== 'claude-code');
  expect(adapter?.forFile?.(path)).toBeNull();
  writeFileSync(path, `${line}\n`);
  expect(adapter?.forFile?.(path)?.agent).toBe('claude-code');
  expect(ignoring?.forFile?.(path)).toBeNull();
});

test('an agent we know is read in its own form wherever its files were moved', () => {
  const [moved] = configuredFolders('opencode=/exports', AGENTS);
  expect(moved?.matches('my-session.json')).toBe(true);
});
