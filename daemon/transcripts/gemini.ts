import { basename, dirname, join } from 'node:path';
import { readText, readTextOrEmpty } from '../platform/read-file.ts';
import type {
  Circumstances,
  ParsedLine,
  Parser,
  Span,
  TranscriptAdapter,
  TranscriptEvent,
} from './adapter.ts';
import { DocumentParser } from './documents.ts';
import { embedded, type Fields, list, object, parseRecord, text, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, saysItFailed } from './speech.ts';
import { WHOLE_FILE_LIMIT } from './tail.ts';
import { sha256 } from '../platform/sha256.ts';

const CHAT = /(?:^|[\\/])chats[\\/].+\.jsonl?$/;
const NESTED_CHAT = /[\\/]chats[\\/][^\\/]+[\\/][^\\/]+$/; // subagents stand in a folder named by their parent
const AGENT = new Set(['gemini', 'model', 'assistant']);
const SILENT = new Set(['info', 'error', 'warning']);

export const gemini: TranscriptAdapter = {
  agent: 'gemini-cli',
  roots: (home, environment) => [join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp')],
  matches: (path) => CHAT.test(path),
  wrote: (record) => 'projectHash' in record && 'sessionId' in record,
  open(path): Parser {
    const parser = new GeminiParser(path);
    return path.endsWith('.json')
      ? new DocumentParser(path, parser, { records: () => cut(readText(path, WHOLE_FILE_LIMIT)) })
      : parser;
  },
};

/** The header, then every message. */
function cut(written: string): string[] {
  const { messages, history, ...header } = parseRecord(written);
  return [header, ...list({ messages, history }, 'messages', 'history')].map((record) =>
    JSON.stringify(record),
  );
}

class GeminiParser extends FileParser {
  constructor(path: string) {
    super(path);
    this.cwd = projectOf(path);
    this.subagent = NESTED_CHAT.test(path);
  }

  parse(line: string, span: Span): ParsedLine {
    const record = parseRecord(line);
    const rewindTo = text(record, '$rewindTo');
    if (rewindTo)
      return {
        events: [
          { ...this.circumstances(span, '', record.timestamp), kind: 'meta', text: 'rewound', rewindTo },
        ],
      };
    if ('$set' in record) return this.#header(object(record, '$set'), span);
    return text(record, 'type', 'role') ? this.#message(record, span) : this.#header(record, span);
  }

  /** Some versions write the messages themselves into a header or a change of it. */
  #header(header: Fields, span: Span): ParsedLine {
    const known = [
      'sessionId',
      'projectHash',
      'startTime',
      'lastUpdated',
      'messages',
      'summary',
      'directories',
      'kind',
      'meta',
      'start_time',
    ];
    if (!Object.keys(header).some((name) => known.includes(name)))
      return { events: [], unknown: Object.keys(header)[0] ?? 'no type' };
    this.session = text(header, 'sessionId') || this.session;
    if (header.kind === 'subagent') this.subagent = true;
    const [folder] = Array.isArray(header.directories) ? header.directories : [];
    if (typeof folder === 'string') this.cwd = folder;
    return { events: list(header, 'messages').flatMap((message) => this.#message(message, span).events) };
  }

  #message(message: Fields, span: Span): ParsedLine {
    const kind = text(message, 'type', 'role');
    const id = text(message, 'id') || `${this.session}:${span.start}`;
    const common = this.circumstances(span, id, message.timestamp ?? message.ts);
    const said = wordsOf(message.content ?? message.parts);
    if (kind === 'user') return { events: this.unseen(id, promptOf(said, common)) };
    if (AGENT.has(kind)) {
      const calls = list(message, 'toolCalls').flatMap((call) => this.#call(call, common));
      return { events: this.unseen(id, [...replyOf(said, common), ...calls]) };
    }
    if (!SILENT.has(kind)) return { events: [], unknown: kind };
    return {
      events: this.unseen(id, /^request cancell?ed/i.test(said) ? [{ ...common, kind: 'interruption' }] : []),
    };
  }

  #call(call: Fields, common: Circumstances): TranscriptEvent[] {
    const callId = text(call, 'id');
    const tool = text(call, 'name');
    const events = this.toolCall(common, tool, callId, call.args);
    const status = text(call, 'status');
    if (status === 'cancelled') return [...events, { ...common, kind: 'permission', tool, granted: false }];
    if (!['success', 'error'].includes(status)) return events;
    const responses = list(call, 'result').map((part) =>
      object(object(part, 'functionResponse'), 'response'),
    );
    const output = wordsOf(responses) || wordsOf(call.resultDisplay);
    return [
      ...events,
      ...this.toolResult(
        common,
        callId,
        output,
        status === 'error' || saysItFailed(output),
        embedded(output),
      ),
    ];
  }
}

/** The chat files do not say where they were held; their folder's marker does, or the list of all projects. */
function projectOf(path: string): string {
  const folder = dirname(path.replace(/([\\/]chats)[\\/].*$/, '$1'));
  const marked = readTextOrEmpty(join(folder, '.project_root')).trim();
  if (marked) return marked;
  const projects = object(embedded(readTextOrEmpty(join(folder, '..', '..', 'projects.json'))), 'projects');
  const name = basename(folder);
  return Object.keys(projects).find((root) => projects[root] === name || sha256(root) === name) ?? '';
}
