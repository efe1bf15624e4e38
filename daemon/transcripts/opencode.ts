import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readText } from '../platform/read-file.ts';
import type {
  Circumstances,
  ParsedLine,
  Parser,
  Span,
  TranscriptAdapter,
  TranscriptEvent,
} from './adapter.ts';
import { stampOf } from './compressed.ts';
import { DocumentParser } from './documents.ts';
import { embedded, type Fields, list, object, parseRecord, text } from './fields.ts';
import { OpenCodeDatabase } from './opencode-database.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, typedPart } from './speech.ts';
import { WHOLE_FILE_LIMIT } from './tail.ts';

const DATABASE = /^opencode[^\\/]*\.db$/;
const SESSION_FILE = /(?:^|[\\/])session[\\/][^\\/]+[\\/][^\\/]+\.json$/;
const SILENT = new Set([
  'reasoning',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'file',
  'agent',
  'retry',
  'subtask',
]);
const REJECTED = /^The user rejected permission/;
const FEEDBACK = /with the following feedback:\s*([\s\S]+)$/;

export const openCode: TranscriptAdapter = {
  agent: 'opencode',
  roots: (home, environment) => [
    join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode'),
  ],
  matches: (path) => DATABASE.test(path) || (path.startsWith('storage') && SESSION_FILE.test(path)),
  wrote: (record) => text(object(record, 'info'), 'id').startsWith('ses') && Array.isArray(record.messages),
  // The latest writes are in the write-ahead log until SQLite moves them over.
  mainFile: (path) => path.replace(/\.db-wal$/, '.db'),
  ignored: [
    'snapshot',
    'log',
    'bin',
    'repos',
    'tool-output',
    'storage/message',
    'storage/part',
    'storage/session_diff',
  ],
  open(path): Parser {
    const parser = new OpenCodeParser(path);
    if (path.endsWith('.db')) return new OpenCodeDatabase(path, parser);
    if (!SESSION_FILE.test(path)) return new DocumentParser(path, parser, { records: () => exported(path) });
    return new DocumentParser(path, parser, {
      records: () => stored(path),
      stamp: () => stampOfStored(path),
    });
  },
};

/** Every record is one message: `{session, info, parts}`, wherever it was kept. */
class OpenCodeParser extends FileParser {
  parse(record: string, span: Span): ParsedLine {
    const message = parseRecord(record);
    const info = object(message, 'info');
    const role = text(info, 'role');
    if (role !== 'user' && role !== 'assistant') return { events: [], unknown: role || 'no role' };
    const common = this.#common(message, info, span);
    const parts = list(message, 'parts');
    const unknown = parts
      .map((part) => text(part, 'type'))
      .find((kind) => !['text', 'tool', 'compaction'].includes(kind) && !SILENT.has(kind));
    const events = parts.flatMap((part) => this.#part(part, role, common));
    if (text(object(info, 'error'), 'name') === 'MessageAbortedError')
      events.push({ ...common, kind: 'interruption' });
    const fresh = this.unseen(common.uuid, events);
    return unknown === undefined
      ? { events: fresh }
      : { events: fresh, unknown: `part/${unknown || 'no type'}` };
  }

  #common(message: Fields, info: Fields, span: Span): Circumstances {
    const session = object(message, 'session');
    this.session = text(session, 'id') || text(info, 'sessionID') || this.session;
    this.cwd = text(object(info, 'path'), 'cwd') || text(session, 'directory');
    this.subagent = text(session, 'parentID') !== '';
    return this.circumstances(
      span,
      text(info, 'id') || text(message, 'id'),
      object(info, 'time').created ?? message.at,
    );
  }

  #part(part: Fields, role: string, common: Circumstances): TranscriptEvent[] {
    switch (part.type) {
      case 'text':
        return speech(part, role, common);
      case 'tool':
        return this.#tool(part, common);
      case 'compaction':
        return [{ ...common, kind: 'compaction' }];
      default:
        return [];
    }
  }

  #tool(part: Fields, common: Circumstances): TranscriptEvent[] {
    const state = object(part, 'state');
    const [tool, callId] = [text(part, 'tool'), text(part, 'callID')];
    const call = this.toolCall(common, tool, callId, state.input);
    if (['pending', 'running', ''].includes(text(state, 'status'))) return call;
    const metadata = object(state, 'metadata');
    const output = text(state, 'output') || text(state, 'error');
    const failed = state.status === 'error' || (typeof metadata.exit === 'number' && metadata.exit !== 0);
    const events = [...call, ...this.toolResult(common, callId, output, failed, metadata)];
    if (!REJECTED.test(output)) return events;
    const said = FEEDBACK.exec(output)?.[1]?.trim();
    events.push({ ...common, kind: 'permission', tool, granted: false });
    return said ? [...events, { ...common, kind: 'prompt', text: said, via: 'rejection' }] : events;
  }
}

function speech(part: Fields, role: string, common: Circumstances): TranscriptEvent[] {
  const said = text(part, 'text');
  if (role === 'assistant') return replyOf(said, common);
  return promptOf(said, common, part.synthetic === true || part.ignored === true ? '' : typedPart(said));
}

/** The output of `opencode export`: a session with all its messages. */
function exported(path: string): string[] {
  const { info, messages } = parseRecord(readText(path, WHOLE_FILE_LIMIT));
  return list({ messages }, 'messages').map((message) => JSON.stringify({ session: info, ...message }));
}

const folderOf = (sessionFile: string, kind: 'message' | 'part') =>
  join(dirname(sessionFile), '..', '..', kind);
const readRecord = (file: string) => parseRecord(readText(file, WHOLE_FILE_LIMIT));

/** Before it used a database, OpenCode kept every message and every part of one in a file of its own. */
function stored(sessionFile: string): string[] {
  const session = readRecord(sessionFile);
  const partFolder = folderOf(sessionFile, 'part');
  const loose = filesIn(partFolder).map(readRecord); // the first versions had no folder for each message
  return filesIn(messagesOf(sessionFile, session)).map((file) => {
    const info = readRecord(file);
    const id = text(info, 'id');
    return JSON.stringify({
      session,
      info,
      parts: [
        ...loose.filter((part) => part.messageID === id),
        ...filesIn(join(partFolder, id)).map(readRecord),
      ],
    });
  });
}

function messagesOf(sessionFile: string, session: Fields): string {
  return join(folderOf(sessionFile, 'message'), text(session, 'id') || basename(sessionFile, '.json'));
}

/** The session's file is written again with every prompt, and a message more changes the time of their folder. */
function stampOfStored(sessionFile: string): string {
  const folder = messagesOf(sessionFile, embedded(readText(sessionFile, WHOLE_FILE_LIMIT)));
  return `${stampOf(sessionFile)}:${existsSync(folder) ? stampOf(folder) : ''}`;
}

/** Its names are made to sort by time. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}
