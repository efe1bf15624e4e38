import { type Circumstances, joined, type ParsedLine, type Span, type TranscriptEvent } from './adapter.ts';
import { type Fields, isFields, list, object, recordsIn, text, unpacked, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, saysItFailed, typedPart } from './speech.ts';

/** The field and record names of an agent that writes the common format. */
export interface ChatForm {
  /** Kinds of records that name the session and its folder. */
  headers?: readonly string[];
  compactions?: readonly string[];
  /** Kinds that are known and carry nothing to learn from. */
  silent?: readonly string[];
  /** For files that do not say where they were held. */
  cwdOf?(path: string): string;
  isSubagent?(path: string): boolean;
}

const AGENT = new Set(['assistant', 'model', 'gemini', 'agent', 'ai']);
const HUMAN = new Set(['user', 'human']);
const TOOL = new Set(['tool', 'toolResult', 'tool_result', 'function']);
const UNSPOKEN = new Set([
  'system',
  'developer',
  'reasoning',
  'thinking',
  'bashExecution',
  'custom',
  'compactionSummary',
  'branchSummary',
  'hookMessage',
  'session_meta',
]);
const CALL = /^tool[_-]?(?:use|call)$/i;
const RESULT = /^tool[_-]?result$/i;
const TEXT = /^(?:text|input_text|output_text|)$/;
const THOUGHT = /^(?:thinking|reasoning|think|image|redacted_thinking|file)$/;

/** Reads the messages-with-roles most agents write, one JSON object a line, whatever they call the fields. */
export class ChatParser extends FileParser {
  readonly #form: ChatForm;

  constructor(path: string, form: ChatForm) {
    super(path);
    this.#form = form;
    this.cwd = form.cwdOf?.(path) ?? '';
    this.subagent = form.isSubagent?.(path) ?? false;
  }

  parse(line: string, span: Span): ParsedLine {
    return joined(recordsIn(line).map((record) => this.#record(record, span)));
  }

  #record(record: Fields, span: Span): ParsedLine {
    const kind = text(record, 'type');
    const message = isFields(record.message) ? record.message : record;
    this.#notice(record, kind);
    const at = record.timestamp ?? record.created_at ?? record.time ?? record.ts ?? message.timestamp;
    const common = this.circumstances(span, text(record, 'uuid', 'id'), at);
    const subtype = text(record, 'subtype');
    if (subtype === 'rewind')
      return {
        events: [
          {
            ...common,
            kind: 'meta',
            text: 'rewound',
            rewindTo: text(object(record, 'systemPayload'), 'targetUuid'),
          },
        ],
      };
    if (this.#form.compactions?.includes(kind) || subtype === 'chat_compression')
      return { events: [{ ...common, kind: 'compaction' }] };
    const events = this.#eventsOf(record, message, kind, common);
    if (events) return { events };
    const known = this.#form.headers?.includes(kind) || this.#form.silent?.includes(kind);
    return known ? { events: [] } : { events: [], unknown: kind || text(message, 'role') || 'no type' };
  }

  #notice(record: Fields, kind: string): void {
    const named = this.#form.headers?.includes(kind) ? text(record, 'id') : '';
    this.session = text(record, 'sessionId', 'session_id') || named || this.session;
    this.cwd = text(record, 'cwd') || this.cwd;
    this.branch = text(record, 'gitBranch') || this.branch;
  }

  #eventsOf(record: Fields, message: Fields, kind: string, common: Circumstances): TranscriptEvent[] | null {
    const role = text(message, 'role') || text(record, 'role') || kind;
    if (HUMAN.has(role))
      return this.#blocks(record, message, common, (said) => promptOf(said, common, typedIn(said, record)));
    if (AGENT.has(role)) return this.#blocks(record, message, common, (said) => replyOf(said, common));
    if (TOOL.has(role)) return this.#toolMessage(record, message, common);
    if (CALL.test(kind)) return this.#call(record, common);
    if (kind === 'completion') return replyOf(text(record, 'finalText'), common);
    return UNSPOKEN.has(role) ? [] : null;
  }

  #blocks(
    record: Fields,
    message: Fields,
    common: Circumstances,
    speak: (said: string) => TranscriptEvent[],
  ): TranscriptEvent[] {
    const content =
      message.content ??
      message.parts ??
      message.text ??
      (typeof record.message === 'string' ? record.message : undefined);
    const calls = list(message, 'tool_calls', 'toolCalls').flatMap((call) => this.#call(call, common));
    if (content === undefined && calls.length === 0) throw new TypeError('a message without content');
    const blocks = Array.isArray(content) ? content : [content];
    const fromBlocks = blocks.flatMap((block) => {
      if (typeof block === 'string') return speak(block);
      return isFields(block) ? this.#block(block, record, common, speak) : [];
    });
    return [...fromBlocks, ...calls];
  }

  #block(
    block: Fields,
    record: Fields,
    common: Circumstances,
    speak: (said: string) => TranscriptEvent[],
  ): TranscriptEvent[] {
    const kind = text(block, 'type');
    if (block.thought === true || THOUGHT.test(kind)) return [];
    if ('functionCall' in block) return this.#call(object(block, 'functionCall'), common);
    if ('functionResponse' in block) return this.#result(object(block, 'functionResponse'), record, common);
    if (CALL.test(kind)) return this.#call(block, common);
    if (RESULT.test(kind)) return this.#result(block, record, common);
    // A block of a kind we never met may still say something; who typed it is not known, though.
    return TEXT.test(kind) || AGENT.has(text(record, 'role')) ? speak(text(block, 'text')) : [];
  }

  #call(call: Fields, common: Circumstances): TranscriptEvent[] {
    const named = object(call, 'function');
    const written = call.input ?? call.arguments ?? call.args ?? call.parameters ?? named.arguments ?? {};
    const callId = text(call, 'toolCallId', 'tool_use_id', 'call_id', 'callId', 'id');
    const tool = text(call, 'name', 'toolName') || text(named, 'name');
    return this.toolCall(common, tool, callId, unpacked(written));
  }

  #toolMessage(record: Fields, message: Fields, common: Circumstances): TranscriptEvent[] {
    const blocks = list(message, 'parts', 'content').filter(
      (block) => 'functionResponse' in block || RESULT.test(text(block, 'type')),
    );
    if (blocks.length === 0) return this.#result(message, record, common);
    return blocks.flatMap((block) =>
      this.#result('functionResponse' in block ? object(block, 'functionResponse') : block, record, common),
    );
  }

  #result(result: Fields, record: Fields, common: Circumstances): TranscriptEvent[] {
    const callId = text(result, 'tool_use_id', 'toolCallId', 'tool_call_id', 'call_id', 'callId', 'id');
    const outcome = result.content ?? result.response ?? result.output ?? result.result ?? result.value ?? '';
    const exit = object({ outcome }, 'outcome').exitCode;
    const output = wordsOf(outcome);
    const failed =
      result.is_error === true ||
      result.isError === true ||
      (typeof exit === 'number' && exit !== 0) ||
      object(record, 'toolCallResult').status === 'error' ||
      saysItFailed(output);
    return this.toolResult(common, callId, output, failed, outcome);
  }
}

function typedIn(said: string, record: Fields): string {
  const synthetic =
    record.isMeta === true || text(record, 'synthetic_reason') !== '' || record.subtype === 'notification';
  return synthetic ? '' : typedPart(said);
}
