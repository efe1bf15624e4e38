import { join } from 'node:path';
import type { Circumstances, ParsedLine, Span, TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { type Fields, isFields, list, object, parseRecord, text, unpacked, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, saysItFailed } from './speech.ts';

const HEAVY_AND_SILENT = /^\{"type":"(?:hook\.start|hook\.end|system\.message)"/;
const SILENT = new Set([
  'hook.start',
  'hook.end',
  'system.message',
  'system.notification',
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.reasoning',
  'assistant.intent',
  'assistant.usage',
  'session.model_change',
  'session.info',
  'session.warning',
  'session.error',
  'session.shutdown',
  'session.truncation',
  'session.idle',
  'session.auto_mode_resolved',
  'session.usage_checkpoint',
  'session.usage_info',
  'session.permissions_changed',
  'session.compaction_start',
  'session.mode_changed',
  'session.title_changed',
  'session.context_changed',
  'session.handoff',
  'session.import_legacy',
  'session.snapshot_rewind',
  'session.workspace_file_changed',
  'session.plan_changed',
  'session.task_complete',
  'subagent.started',
  'subagent.completed',
  'subagent.failed',
  'subagent.selected',
  'subagent.deselected',
  'tool.user_requested',
  'tool.execution_progress',
  'tool.execution_partial_result',
  'skill.invoked',
]);

export const copilot: TranscriptAdapter = {
  agent: 'copilot-cli',
  roots: (home, environment) => {
    const folder = environment.COPILOT_HOME || join(home, '.copilot');
    return [join(folder, 'session-state'), join(folder, 'history-session-state')];
  },
  matches: (path) => path.endsWith('.jsonl'),
  wrote: (record) => /^(?:session|user|assistant|tool)\./.test(text(record, 'type')) && isFields(record.data),
  open: (path) => new CopilotParser(path),
};

class CopilotParser extends FileParser {
  parse(line: string, span: Span): ParsedLine {
    if (HEAVY_AND_SILENT.test(line)) return { events: [] };
    const record = parseRecord(line);
    const kind = text(record, 'type');
    const data = object(record, 'data');
    const common = this.circumstances(span, text(record, 'id'), record.timestamp);
    // A subagent's messages name the call that started it.
    if (text(data, 'parentToolCallId')) common.subagent = true;
    switch (kind) {
      case 'session.start':
      case 'session.resume':
        return this.#header(data);
      case 'user.message':
        return { events: promptOf(text(data, 'content'), common) };
      case 'assistant.message':
        return { events: this.#message(data, common) };
      case 'tool.execution_start':
        return { events: this.#call(data, common) };
      case 'tool.execution_complete':
        return { events: this.#result(data, common) };
      case 'permission.requested':
        return { events: [this.#permission(object(data, 'permissionRequest'), common, null)] };
      case 'permission.completed':
        return { events: this.#decision(data, common) };
      case 'session.compaction_complete':
        return { events: [{ ...common, kind: 'compaction' }] };
      case 'abort':
        return { events: [{ ...common, kind: 'interruption' }] };
      default:
        return SILENT.has(kind) ? { events: [] } : { events: [], unknown: kind || 'no type' };
    }
  }

  #header(data: Fields): ParsedLine {
    const context = object(data, 'context');
    this.session = text(data, 'sessionId') || this.session;
    this.cwd = text(context, 'cwd', 'gitRoot') || this.cwd;
    this.branch = text(context, 'branch') || this.branch;
    return { events: [] };
  }

  #message(data: Fields, common: Circumstances): TranscriptEvent[] {
    const said = text(data, 'content');
    const calls = list(data, 'toolRequests').flatMap((request) => this.#call(request, common));
    return [...replyOf(said, common), ...calls];
  }

  /** A call is requested by the model and then started; the first record of the two counts. */
  #call(request: Fields, common: Circumstances): TranscriptEvent[] {
    const callId = text(request, 'toolCallId');
    if (this.calls.has(callId)) return [];
    return this.toolCall(
      common,
      text(request, 'name', 'toolName'),
      callId,
      unpacked(request.arguments ?? {}),
    );
  }

  #result(data: Fields, common: Circumstances): TranscriptEvent[] {
    const callId = text(data, 'toolCallId');
    const output = wordsOf(data.result ?? data.error ?? '');
    return this.toolResult(common, callId, output, data.success === false || saysItFailed(output));
  }

  #permission(request: Fields, common: Circumstances, granted: boolean | null): TranscriptEvent {
    return {
      ...common,
      kind: 'permission',
      tool: this.calls.get(text(request, 'toolCallId'))?.tool ?? text(request, 'kind'),
      granted,
    };
  }

  #decision(data: Fields, common: Circumstances): TranscriptEvent[] {
    const result = object(data, 'result');
    const decision = this.#permission(data, common, text(result, 'kind').startsWith('approved'));
    const said = text(result, 'feedback');
    return said ? [decision, { ...common, kind: 'prompt', text: said, via: 'rejection' }] : [decision];
  }
}
