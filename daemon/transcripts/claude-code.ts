import { join } from 'node:path';
import {
  type Circumstances,
  joined,
  type ParsedLine,
  type Span,
  type TranscriptAdapter,
  type TranscriptEvent,
} from './adapter.ts';
import { type Fields, list, object, recordsIn, text, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, typedPart } from './speech.ts';
import { type TodoItem, todoState } from './todos.ts';

// Known records that carry nothing to learn from.
const SILENT = new Set([
  'progress',
  'file-history-snapshot',
  'last-prompt',
  'summary',
  'attachment',
  'pr-link',
  'mode',
  'permission-mode',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
]);
// No brace before it, so this is the record's own type; inside a text its quotes would be escaped.
const HEAVY_AND_SILENT = /^\{[^{]{0,600}?"type":"(?:progress|file-history-snapshot|attachment)"/;
const SUBAGENT_FILE = /[\\/]subagents[\\/]|[\\/]agent-[^\\/]*\.jsonl$/;

const INTERRUPTED = '[Request interrupted by user';
const REJECTED =
  /doesn't want to proceed with this tool use|tool use was rejected|chose to stay in plan mode|User rejected/;
const REJECTED_SAYING = /the user said:\s*([\s\S]+)/i;
/** Chosen from a menu, in words of the harness. */
const NOT_SAID = /^The user wants to clarify these questions/;
const TASK_RECORD = /^\{"/;
const NOTE_TO_THE_AGENT = /\n+Note: The user's next message [\s\S]*$/;
const QUEUED_KEPT = 20;

export const claudeCode: TranscriptAdapter = {
  agent: 'claude-code',
  roots: (home, environment) => [
    join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects'),
    ...(process.platform === 'darwin'
      ? [join(home, 'Library/Application Support/Claude/local-agent-mode-sessions')]
      : []),
  ],
  matches: (path) => path.endsWith('.jsonl') && !path.endsWith('audit.jsonl'),
  wrote: (record) => 'parentUuid' in record && 'content' in object(record, 'message'),
  open: (path) => new ClaudeParser(path),
};

const TURN_IS_OVER: ReadonlySet<string> = new Set(['stop_hook_summary', 'turn_duration']);

class ClaudeParser extends FileParser {
  readonly #inSubagentFile: boolean;
  readonly #tasks = new Map<string, TodoItem>();
  #queued: string[] = [];
  /** Typed when the agent seemed idle: only the next records show whether it was. */
  #held: TranscriptEvent[] = [];
  #works = false;
  #compacted = false;

  constructor(path: string) {
    super(path);
    this.#inSubagentFile = SUBAGENT_FILE.test(path);
  }

  parse(line: string, span: Span): ParsedLine {
    if (HEAVY_AND_SILENT.test(line)) return { events: [] };
    return joined(recordsIn(line).map((record) => this.#record(record, span)));
  }

  #record(record: Fields, span: Span): ParsedLine {
    const kind = text(record, 'type');
    switch (kind) {
      case 'user':
      case 'assistant':
        return { events: this.#speech(record, kind, this.#common(record, span)) };
      case 'queue-operation':
        return { events: this.#queue(record, this.#common(record, span)) };
      case 'system':
        return { events: this.#system(record, this.#common(record, span)) };
      default:
        return SILENT.has(kind) ? { events: [] } : { events: [], unknown: kind || 'no type' };
    }
  }

  #common(record: Fields, span: Span): Circumstances {
    this.session = text(record, 'sessionId') || this.session;
    this.cwd = text(record, 'cwd') || this.cwd;
    if ('gitBranch' in record) this.branch = text(record, 'gitBranch') || null;
    this.subagent = this.#inSubagentFile || record.isSidechain === true;
    return this.circumstances(span, text(record, 'uuid'), record.timestamp);
  }

  #speech(record: Fields, kind: 'user' | 'assistant', common: Circumstances): TranscriptEvent[] {
    const { content } = object(record, 'message');
    if (typeof content !== 'string' && !Array.isArray(content))
      throw new TypeError(`a ${kind} record without a message`);
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : list({ content }, 'content');
    // Its last words may end the turn; any other record means that it is about to continue.
    this.#works = kind === 'user' || blocks.at(-1)?.type !== 'text';
    return blocks.flatMap((block): TranscriptEvent[] => {
      switch (block.type) {
        case 'tool_use':
          return this.toolCall(common, text(block, 'name'), text(block, 'id'), block.input);
        case 'tool_result':
          return this.#result(block, record.toolUseResult, common);
        case 'text':
          return kind === 'assistant'
            ? replyOf(text(block, 'text'), common)
            : this.#said(text(block, 'text'), record, common);
        default:
          return [];
      }
    });
  }

  #said(said: string, record: Fields, common: Circumstances): TranscriptEvent[] {
    if (said.trim() === '') return [];
    if (record.isCompactSummary === true) return this.#compaction(common);
    if (said.startsWith(INTERRUPTED)) {
      this.#works = false;
      return [{ ...common, kind: 'interruption' }];
    }
    const typed = record.isMeta === true || !isHuman(record) ? '' : typedPart(said);
    return typed !== '' && this.#wasQueued(typed) ? [] : promptOf(said, common, typed);
  }

  #result(block: Fields, details: unknown, common: Circumstances): TranscriptEvent[] {
    const callId = text(block, 'tool_use_id');
    const output = wordsOf(block.content);
    const failed = block.is_error === true;
    const events = this.toolResult(common, callId, output, failed, details);
    const call = this.calls.get(callId);
    const known = object({ details }, 'details');
    if (failed) return [...events, ...rejection(output, call?.tool ?? '', common)];
    switch (call?.tool) {
      case 'ExitPlanMode':
        return [...events, { ...common, kind: 'permission', tool: 'ExitPlanMode', granted: true }];
      case 'TaskCreate':
        return [...events, ...this.#taskCreated(known, call.input, output, common)];
      case 'TaskUpdate':
        return [...events, ...this.#taskUpdated(known, call.input, common)];
      default:
        return events;
    }
  }

  #taskCreated(details: Fields, input: Fields, output: string, common: Circumstances): TranscriptEvent[] {
    const task = object(details, 'task');
    const id = text(task, 'id') || output.match(/#(\w+)/)?.[1];
    if (!id) return [];
    this.#tasks.set(id, { text: text(task, 'subject') || text(input, 'subject'), state: 'pending' });
    return [this.#todo(common)];
  }

  #taskUpdated(details: Fields, input: Fields, common: Circumstances): TranscriptEvent[] {
    const id = text(details, 'taskId') || text(input, 'taskId');
    const state = text(object(details, 'statusChange'), 'to') || text(input, 'status');
    if (!id || details.success === false) return [];
    // Its creation may lie before the part of the file that was read again after a restart.
    const task = this.#tasks.get(id) ?? { text: `task ${id}`, state: 'pending' };
    if (state === 'deleted') this.#tasks.delete(id);
    else
      this.#tasks.set(id, {
        text: text(input, 'subject') || task.text,
        state: state ? todoState(state) : task.state,
      });
    return [this.#todo(common)];
  }

  #todo(common: Circumstances): TranscriptEvent {
    return { ...common, kind: 'todo', items: [...this.#tasks.values()] };
  }

  /**
   * A message typed while the agent works is written at once, and again when the agent reads it. So is every prompt of
   * `claude -p`.
   */
  #queue(record: Fields, common: Circumstances): TranscriptEvent[] {
    switch (record.operation) {
      case 'enqueue':
        return this.#enqueued(typedPart(text(record, 'content')), common);
      case 'remove': // handed over in the middle of a turn: no user record follows
        if (this.#held.length > 0) return this.#held.splice(0, 1);
        this.#queued.shift();
        return [];
      case 'dequeue':
        this.#held.shift(); // its user record follows
    }
    return [];
  }

  #enqueued(typed: string, common: Circumstances): TranscriptEvent[] {
    if (typed === '' || TASK_RECORD.test(typed)) return [];
    const prompt: TranscriptEvent = {
      ...common,
      uuid: `${common.session}:queued:${common.span.start}`,
      kind: 'prompt',
      text: typed,
      via: 'queued',
    };
    if (!this.#works) {
      this.#held = [...this.#held.slice(1 - QUEUED_KEPT), prompt];
      return [];
    }
    this.#queued = [...this.#queued.slice(1 - QUEUED_KEPT), typed];
    return [prompt];
  }

  /** Several queued messages may arrive as one, line by line. */
  #wasQueued(typed: string): boolean {
    const waiting = new Set(this.#queued.flatMap((message) => message.split('\n')));
    if (waiting.size === 0 || !typed.split('\n').every((line) => waiting.has(line))) return false;
    this.#queued = this.#queued.filter((message) => !typed.includes(message));
    return true;
  }

  #system(record: Fields, common: Circumstances): TranscriptEvent[] {
    if (TURN_IS_OVER.has(text(record, 'subtype'))) {
      this.#works = false;
      return [{ ...common, kind: 'turn-end' }];
    }
    if (record.subtype !== 'compact_boundary') return [];
    this.#compacted = true;
    return [{ ...common, kind: 'compaction' }];
  }

  /** A summary follows its boundary; versions without boundaries have the summary alone. */
  #compaction(common: Circumstances): TranscriptEvent[] {
    const isReported = this.#compacted;
    this.#compacted = false;
    return isReported ? [] : [{ ...common, kind: 'compaction' }];
  }
}

/** Newer versions say who spoke: a person, or a task that came to its end. */
function isHuman(record: Fields): boolean {
  const origin = text(object(record, 'origin'), 'kind');
  return origin === '' || origin === 'human';
}

/** Turning a tool call down comes back as that call's error, with the words the person added. */
function rejection(output: string, tool: string, common: Circumstances): TranscriptEvent[] {
  if (!REJECTED.test(output)) return [];
  const said = output.match(REJECTED_SAYING)?.[1]?.replace(NOTE_TO_THE_AGENT, '').trim();
  const denied: TranscriptEvent = { ...common, kind: 'permission', tool, granted: false };
  return said && !NOT_SAID.test(said)
    ? [denied, { ...common, kind: 'prompt', text: said, via: 'rejection' }]
    : [denied];
}
