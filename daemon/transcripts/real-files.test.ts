import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { recordsOf } from '../testing/adapter-suite.ts';
import { needs } from '../testing/needs.ts';
import type { TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { AGENTS } from './agents.ts';

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url));
/** Sessions as they were, with no kind of record that is unknown to us. */
const SESSIONS = join(DATA, 'transcripts');
const FIXTURES = join(DATA, 'fixtures-14-agents/Resources/Fixtures/stage0/agents');

/** Whose files stand in which folder, and which of them. */
const FOLDERS: ReadonlyArray<[agent: string, folder: string, files: RegExp]> = [
  ['claude-code', join(SESSIONS, 'claude-code'), /\.jsonl$/],
  ['claude-code', join(DATA, 'session-with-subagents'), /\.jsonl$/],
  ['claude-code', join(FIXTURES, 'claude'), /\.jsonl$/],
  ['codex', join(SESSIONS, 'codex'), /\.jsonl$/],
  ['codex', join(FIXTURES, 'codex'), /\.jsonl$/],
  ['codex', join(FIXTURES, '../..'), /^codex_[^/]*\.jsonl$/],
  ['copilot-cli', join(SESSIONS, 'copilot-cli'), /\.jsonl$/],
  ['copilot-cli', join(FIXTURES, 'copilot'), /\.jsonl$/],
  ['opencode', join(FIXTURES, 'opencode'), /session\/.*\.json$/],
  ['gemini-cli', join(FIXTURES, 'gemini'), /\.jsonl?$/],
  ['qwen', join(FIXTURES, 'qwen'), /\.jsonl$/],
  ['pi', join(FIXTURES, 'pi'), /\.jsonl$/],
  ['openclaw', join(FIXTURES, 'openclaw'), /\.jsonl$/],
  ['droid', join(FIXTURES, 'droid'), /\.jsonl$/],
  ['cursor', join(FIXTURES, 'cursor'), /\.jsonl$/],
  ['grok', join(FIXTURES, 'grok'), /chat_history\.jsonl$/],
  ['kimi', join(FIXTURES, 'kimi'), /\.jsonl$/],
  ['antigravity', join(FIXTURES, 'antigravity'), /\.jsonl$/],
];

function filesOf(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => wanted.test(file))
    .map((file) => join(folder, file));
}

function read(adapter: TranscriptAdapter, path: string) {
  const parser = adapter.open(path);
  const events: TranscriptEvent[] = [];
  const bad: string[] = [];
  const unknown: Record<string, number> = {};
  for (const { text, span } of recordsOf(parser, path).records) {
    try {
      const parsed = parser.parse(text, span);
      events.push(...parsed.events);
      if (parsed.unknown !== undefined) unknown[parsed.unknown] = (unknown[parsed.unknown] ?? 0) + 1;
    } catch {
      bad.push(text.slice(0, 80));
    }
  }
  return { events, bad, unknown };
}

const adapterOf = (name: string) =>
  AGENTS.find(({ agent }) => agent === name) ?? expect.fail(`no adapter for ${name}`);
const count = (events: TranscriptEvent[]) =>
  events.reduce<Record<string, number>>((sum, { kind }) => ({ ...sum, [kind]: (sum[kind] ?? 0) + 1 }), {});

describe('files that agents really wrote', () => {
  needs(existsSync(DATA) ? null : 'the sample sessions are not beside the project (../shared/data)');

  test.each(FOLDERS.map((row) => [row[0], relative(DATA, row[1]), row] as const))(
    '%s: every record below %s is read',
    (_agent, _folder, [name, folder, wanted]) => {
      const files = filesOf(folder, wanted);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) {
        const { events, bad, unknown } = read(adapterOf(name), file);
        const where = `${file}: unknown kinds ${JSON.stringify(unknown)}`;
        // Two samples begin with comments of those who collected them.
        expect(
          bad.filter((text) => !text.startsWith('//')),
          where,
        ).toEqual([]);
        expect(
          events.filter(
            ({ at, session, span }) =>
              !(Number.isFinite(at) && at > 0 && session !== '' && span.end > span.start),
          ),
          where,
        ).toEqual([]);
        if (folder.startsWith(SESSIONS)) expect(unknown, where).toEqual({});
      }
    },
  );

  test.each<[agent: string, file: string, least: Record<string, number>]>([
    ['claude-code', 'claude/schema_drift.jsonl', { prompt: 1, reply: 1, meta: 1 }],
    ['copilot-cli', 'copilot/schema_drift.jsonl', { tool_call: 1, tool_result: 2, reply: 1 }],
    ['cursor', 'cursor/schema_drift.jsonl', { prompt: 1, tool_call: 1, tool_result: 1, reply: 2 }],
    ['antigravity', 'antigravity/cli_small.jsonl', { prompt: 2, reply: 1, tool_call: 2, compaction: 1 }],
    ['kimi', 'kimi/assistant_tools.jsonl', { prompt: 8, compaction: 1 }],
    ['droid', 'droid/session_store_schema_drift.jsonl', { prompt: 1, reply: 1 }],
    ['droid', 'droid/stream_json_schema_drift.jsonl', { prompt: 1, tool_call: 1, tool_result: 1, reply: 1 }],
    ['gemini-cli', 'gemini/schema_drift.json', { prompt: 1, reply: 1 }],
    [
      'openclaw',
      'openclaw/schema_drift.jsonl',
      { prompt: 1, reply: 1, tool_call: 1, tool_result: 1, compaction: 1 },
    ],
    [
      'opencode',
      'opencode/storage_legacy/session/proj_test/ses_s_stage0_drift.json',
      { tool_call: 1, tool_result: 1, reply: 1 },
    ],
    ['qwen', 'qwen/019f0000-0000-7000-8000-000000000005.jsonl', { prompt: 1, reply: 1 }],
  ])('%s: a format that moved on still tells what is known of it (%s)', (name, file, least) => {
    const { events, unknown } = read(adapterOf(name), join(FIXTURES, file));
    expect(count(events), JSON.stringify(unknown)).toEqual(expect.objectContaining(least));
  });
});
