import { join } from 'node:path';
import type {
  Circumstances,
  ParsedLine,
  Parser,
  Span,
  TranscriptAdapter,
  TranscriptEvent,
} from './adapter.ts';
import { unpackZstd } from './compressed.ts';
import { embedded, type Fields, isFields, object, parseRecord, text, unpacked, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { saysItFailed, typedPart } from './speech.ts';

// Known records that carry nothing to learn from, or say again what another record says better.
const SILENT = new Set([
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'turn_context',
  'session_meta',
  'response_item/reasoning',
  'response_item/ghost_snapshot',
  'response_item/tool_search_output',
  'response_item/image_generation_call',
  'response_item/agent_message',
  'response_item/compaction',
  'response_item/compaction_summary',
  ...[
    'token_count',
    'agent_reasoning',
    'agent_reasoning_raw_content',
    'agent_reasoning_section_break',
    'task_started',
    'turn_started',
    'patch_apply_begin',
    'patch_apply_end',
    'exec_command_begin',
    'exec_command_end',
    'mcp_tool_call_begin',
    'mcp_tool_call_end',
    'web_search_begin',
    'web_search_end',
    'view_image_tool_call',
    'image_generation_end',
    'dynamic_tool_call_request',
    'dynamic_tool_call_response',
    'entered_review_mode',
    'exited_review_mode',
    'thread_name_updated',
    'thread_settings_applied',
    'thread_goal_updated',
    'thread_rolled_back',
    'guardian_assessment',
    'sub_agent_activity',
    'collab_agent_spawn_end',
    'collab_agent_interaction_end',
    'collab_waiting_end',
    'collab_close_end',
    'collab_resume_end',
    'undo_completed',
    'error',
    'warning',
    'stream_error',
    'background_event',
    'session_configured',
    'plan_update',
    'turn_diff',
    'hook_started',
    'hook_completed',
  ].map((kind) => `event_msg/${kind}`),
]);
const HEAVY_AND_SILENT =
  /^\{"timestamp":"[^"]*","type":"(?:event_msg","payload":\{"type":"token_count"|response_item","payload":\{"type":"reasoning"|world_state")/;
const CALLS = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
]);
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output', 'local_shell_call_output']);
const REJECTED = /^(?:exec command |patch )?rejected by user/;
// Before these words, the IDE extension puts what is open in the editor.
const REQUEST = /## My request for Codex:\s*([\s\S]*)$/;

const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context']);

export const codex: TranscriptAdapter = {
  agent: 'codex',
  roots: (home, environment) => {
    const folder = environment.CODEX_HOME || join(home, '.codex');
    return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
  },
  matches: (path) => /\.jsonl(?:\.zst)?$/.test(path),
  wrote: (record) => ENVELOPES.has(text(record, 'type')) && isFields(record.payload),
  open(path): Parser {
    const parser = new CodexParser(path);
    return path.endsWith('.zst') ? unpackZstd(path, parser) : parser;
  },
};

class CodexParser extends FileParser {
  #headed = false;
  /** Codex says many things twice, as an item and as an event: the last of each, and which of the two said it. */
  readonly #lastSaid = new Map<TranscriptEvent['kind'], { text: string; by: string }>();

  parse(line: string, span: Span): ParsedLine {
    if (HEAVY_AND_SILENT.test(line)) return { events: [] };
    const record = parseRecord(line);
    const kind = text(record, 'type');
    // The first versions wrote the items themselves, without an envelope.
    const payload = 'payload' in record ? object(record, 'payload') : record;
    const inner = text(payload, 'type');
    const common = this.circumstances(span, '', record.timestamp);
    if (kind === 'session_meta' || (kind === '' && text(record, 'id') !== '')) return this.#header(payload);
    if (kind === 'turn_context') return this.#turn(payload);
    if (kind === 'compacted')
      return { events: this.#once('compacted', { ...common, kind: 'compaction' }, '') };
    const events =
      kind === 'event_msg'
        ? this.#event(payload, inner, common)
        : this.#item(payload, inner, common, payload === record);
    if (events) return { events };
    const name = 'payload' in record && inner ? `${kind}/${inner}` : kind || 'no type';
    return SILENT.has(name) ? { events: [] } : { events: [], unknown: name };
  }

  /** The first header is the file's own; a fork brings along those of the threads it came from. */
  #header(meta: Fields): ParsedLine {
    this.cwd = text(meta, 'cwd') || this.cwd;
    if (this.#headed) return { events: [] };
    this.#headed = true;
    this.session = text(meta, 'id', 'session_id') || this.session;
    this.branch = text(object(meta, 'git'), 'branch') || null;
    this.subagent =
      'subagent' in object(meta, 'source') ||
      text(meta, 'parent_thread_id') !== '' ||
      ['subagent', 'memory_consolidation'].includes(text(meta, 'thread_source'));
    return { events: [] };
  }

  #turn(context: Fields): ParsedLine {
    this.cwd = text(context, 'cwd') || this.cwd;
    return { events: [] };
  }

  #event(payload: Fields, kind: string, common: Circumstances): TranscriptEvent[] | null {
    switch (kind) {
      case 'user_message':
        return this.#prompt(text(payload, 'message'), kind, common);
      case 'agent_message':
        return this.#reply(text(payload, 'message'), kind, common);
      case 'item_completed':
        return this.#completed(object(payload, 'item'), common);
      case 'turn_aborted':
        return payload.reason === 'review_ended' ? [] : [{ ...common, kind: 'interruption' }];
      case 'task_complete':
      case 'turn_complete':
      case 'turn.completed':
        return [{ ...common, kind: 'turn-end' }];
      case 'context_compacted':
        return this.#once(kind, { ...common, kind: 'compaction' }, '');
      case 'exec_approval_request':
      case 'apply_patch_approval_request':
        return [
          { ...common, kind: 'permission', tool: kind.replace('_approval_request', ''), granted: null },
        ];
      default:
        return null;
    }
  }

  #completed(item: Fields, common: Circumstances): TranscriptEvent[] {
    switch (item.type) {
      case 'UserMessage':
        return this.#prompt(wordsOf(item.content), 'item_completed', common);
      case 'AgentMessage':
        return this.#reply(wordsOf(item.content), 'item_completed', common);
      default:
        return [];
    }
  }

  /** Users' rows also hold what Codex put in their mouth; only where there is no event for it a row counts as typed. */
  #item(item: Fields, kind: string, common: Circumstances, bare: boolean): TranscriptEvent[] | null {
    if (kind === 'message') {
      const said = wordsOf(item.content);
      if (item.role === 'assistant') return this.#reply(said, 'message', common);
      return bare && item.role === 'user' ? this.#prompt(said, 'message', common) : [];
    }
    if (CALLS.has(kind)) return this.#call(item, kind, common);
    return RESULTS.has(kind) ? this.#result(item, common) : null;
  }

  #prompt(message: string, by: string, common: Circumstances): TranscriptEvent[] {
    const said = typedPart(message.match(REQUEST)?.[1] ?? message);
    return said ? this.#once(by, { ...common, kind: 'prompt', text: said, via: 'typed' }, said) : [];
  }

  #reply(said: string, by: string, common: Circumstances): TranscriptEvent[] {
    return said.trim() ? this.#once(by, { ...common, kind: 'reply', text: said }, said) : [];
  }

  #once(by: string, event: TranscriptEvent, said: string): TranscriptEvent[] {
    const before = this.#lastSaid.get(event.kind);
    const again = before?.text === said && before.by !== by;
    this.#lastSaid.set(event.kind, { text: again ? '' : said, by: again ? '' : by });
    if (event.kind !== 'compaction') this.#lastSaid.delete('compaction');
    return again ? [] : [event];
  }

  #call(item: Fields, kind: string, common: Circumstances): TranscriptEvent[] {
    const tool = text(item, 'name') || kind.replace(/_call$/, '');
    const written = item.arguments ?? item.input ?? item.action ?? {};
    return this.toolCall(common, tool, text(item, 'call_id', 'id'), unpacked(written));
  }

  #result(item: Fields, common: Circumstances): TranscriptEvent[] {
    const callId = text(item, 'call_id', 'id');
    const outcome = embedded(item.output);
    const exit = object(outcome, 'metadata').exit_code;
    const output = wordsOf(
      Object.keys(outcome).length > 0 && !('answers' in outcome) ? outcome : item.output,
    );
    const failed =
      (typeof exit === 'number' && exit !== 0) ||
      outcome.success === false ||
      saysItFailed(output.slice(0, 400));
    const events = this.toolResult(common, callId, output, failed, outcome);
    if (!REJECTED.test(output)) return events;
    return [
      ...events,
      { ...common, kind: 'permission', tool: this.calls.get(callId)?.tool ?? '', granted: false },
    ];
  }
}
