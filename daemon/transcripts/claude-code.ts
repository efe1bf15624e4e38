import { join } from 'node:path';
import * as z from 'zod';
import type { ParsedLine, TranscriptAdapter, TranscriptEvent } from './adapter.ts';

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).optional(),
  is_error: z.boolean().nullish(),
});
type Block = z.infer<typeof Block>;

const Speech = z.looseObject({
  type: z.enum(['user', 'assistant']),
  sessionId: z.string().default(''),
  uuid: z.string().default(''),
  cwd: z.string().default(''),
  gitBranch: z.string().nullish(),
  timestamp: z.string(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  message: z.looseObject({
    content: z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(Block)]),
  }),
});
type Speech = z.infer<typeof Speech>;

const Queued = z.looseObject({
  operation: z.string(),
  content: z.string().optional(),
  sessionId: z.string().default(''),
  timestamp: z.string(),
});

// Known records that carry nothing to learn from.
const SILENT = new Set([
  'progress', 'file-history-snapshot', 'last-prompt', 'summary', 'attachment', 'pr-link', 'mode', 'permission-mode', 'custom-title', 'ai-title',
  'agent-name', 'agent-color',
]);
const INTERRUPTED = '[Request interrupted by user';
const NOT_TYPED = /^\s*(?:<(?:command-|local-command-|system-reminder|task-notification|bash-)|Caveat:|This session is being continued)/;
const REJECTION = /the user said:\s*([\s\S]+)/i;

export const claudeCode: TranscriptAdapter = {
  agent: 'claude-code',
  roots: (home, environment) => [join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects')],
  matches: (path) => path.endsWith('.jsonl'),
  parseLine(line, span): ParsedLine {
    const record = z.looseObject({ type: z.string().optional(), subtype: z.string().optional() }).parse(JSON.parse(line));
    switch (record.type) {
      case 'user':
      case 'assistant': return { events: readSpeech(Speech.parse(record), span) };
      case 'queue-operation': return { events: readQueued(Queued.parse(record), span) };
      case 'system': return { events: record.subtype === 'compact_boundary' ? [compaction(record, span)] : [] };
      default: return SILENT.has(record.type ?? '') ? { events: [] } : { events: [], unknown: record.type ?? 'no type' };
    }
  },
};

function readSpeech(speech: Speech, span: TranscriptEvent['span']): TranscriptEvent[] {
  const common = {
    at: Date.parse(speech.timestamp), session: speech.sessionId, uuid: speech.uuid, cwd: speech.cwd,
    branch: speech.gitBranch || null, span, subagent: speech.isSidechain === true,
  };
  if (speech.isCompactSummary) return [{ ...common, kind: 'compaction' }];
  return speech.message.content.flatMap((block): TranscriptEvent[] => {
    if (block.type === 'tool_use') {
      return [{ ...common, kind: 'tool_call', tool: block.name ?? '', callId: block.id ?? '', input: JSON.stringify(block.input ?? {}) }];
    }
    if (block.type === 'tool_result') return readResult(block, common);
    if (block.type !== 'text' || !block.text?.trim()) return [];
    if (speech.type === 'assistant') return [{ ...common, kind: 'reply', text: block.text }];
    if (block.text.startsWith(INTERRUPTED)) return [{ ...common, kind: 'interruption' }];
    if (speech.isMeta || NOT_TYPED.test(block.text)) return [{ ...common, kind: 'meta', text: block.text }];
    return [{ ...common, kind: 'prompt', text: block.text, via: 'typed' }];
  });
}

type Envelope = Pick<TranscriptEvent, 'at' | 'session' | 'uuid' | 'cwd' | 'branch' | 'span' | 'subagent'>;

function readResult(block: Block, common: Envelope): TranscriptEvent[] {
  const output = typeof block.content === 'string' ? block.content : (block.content ?? []).map(({ text }) => text ?? '').join('\n');
  const result: TranscriptEvent = { ...common, kind: 'tool_result', callId: block.tool_use_id ?? '', output, failed: block.is_error === true };
  // What a person types when turning a tool call down comes back as that call's error.
  const said = block.is_error ? output.match(REJECTION)?.[1]?.trim() : undefined;
  return said ? [result, { ...common, kind: 'prompt', text: said, via: 'rejection' }] : [result];
}

function readQueued({ operation, content, sessionId, timestamp }: z.infer<typeof Queued>, span: TranscriptEvent['span']): TranscriptEvent[] {
  if (operation !== 'enqueue' || !content?.trim() || NOT_TYPED.test(content)) return [];
  const uuid = `${sessionId}:queued:${span.start}`;
  return [{ kind: 'prompt', text: content, via: 'queued', at: Date.parse(timestamp), session: sessionId, uuid, cwd: '', branch: null, span, subagent: false }];
}

function compaction(record: Record<string, unknown>, span: TranscriptEvent['span']): TranscriptEvent {
  const field = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  return {
    kind: 'compaction', at: Date.parse(field('timestamp')) || 0, session: field('sessionId'), uuid: field('uuid'), cwd: field('cwd'),
    branch: field('gitBranch') || null, span, subagent: false,
  };
}
