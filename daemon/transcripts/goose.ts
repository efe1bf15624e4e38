import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Line, ParsedLine, Parser, Span, TranscriptAdapter, Unpacked } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { type Fields, list, object, parseRecord, text } from './fields.ts';

const DATABASE = 'sessions.db';

/** Goose: a database of all sessions; before 1.20, a file of lines for each. */
export const goose: TranscriptAdapter = {
  agent: 'goose',
  roots: (home, environment) => [
    join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'goose', 'sessions'),
  ],
  matches: (path) => path === DATABASE || path.endsWith('.jsonl'),
  // The latest writes are in the write-ahead log until SQLite moves them over.
  mainFile: (path) => path.replace(/\.db-wal$/, '.db'),
  open: (path) => (path.endsWith('.db') ? new GooseDatabase(path) : new GooseParser(path)),
};

/** Its blocks in the words of the common format. */
class GooseParser extends ChatParser {
  constructor(path: string) {
    super(path, { headers: ['session'] });
  }

  override parse(line: string, span: Span): ParsedLine {
    const record = parseRecord(line);
    // The first line of a file of lines says where it was held.
    if (!('role' in record) && 'working_dir' in record)
      return super.parse(JSON.stringify({ type: 'session', cwd: record.working_dir }), span);
    if (!('role' in record)) return super.parse(line, span);
    const message = { ...record, timestamp: record.created, content: list(record, 'content').map(block) };
    return super.parse(JSON.stringify(message), span);
  }
}

function block(part: Fields): Fields {
  const id = text(part, 'id');
  if (part.type === 'toolRequest') {
    const { name, arguments: input } = object(object(part, 'toolCall'), 'value');
    return { type: 'tool_use', id, name, input };
  }
  if (part.type !== 'toolResponse') return part;
  const { status, value, error } = object(part, 'toolResult');
  const failed = status === 'error' || object({ value }, 'value').isError === true;
  return { type: 'tool_result', tool_use_id: id, content: value ?? error ?? '', is_error: failed };
}

interface MessageRow {
  id: number;
  session: string;
  folder: string | null;
  role: string;
  content: string;
  at: number;
}

const REMEMBERED = 20; // messages read again after a restart, so that results find their calls
const PAGE = 200; // messages

/** A message is written when it is complete, so each is read once, in the order of its number. */
class GooseDatabase implements Parser {
  readonly manySessions = true;
  readonly #path: string;
  readonly #parser: GooseParser;
  #remembers = false;

  constructor(path: string) {
    this.#path = path;
    this.#parser = new GooseParser(path);
  }

  parse(record: string, span: Span): ParsedLine {
    return this.#parser.parse(record, span);
  }

  /** A bookmark is the number of the last message taken. */
  unpack(bookmark: string): Unpacked {
    const progress = { last: Number(bookmark) || 0 };
    return {
      records: this.#records(progress),
      get bookmark() {
        return String(progress.last);
      },
    };
  }

  *#records(progress: { last: number }): Generator<Line & { known?: boolean }> {
    const db = new Database(this.#path, { readonly: true, fileMustExist: true });
    try {
      const taken = progress.last;
      const page = db.prepare<[number, number], MessageRow>(
        `SELECT messages.id, session_id AS session, working_dir AS folder, role, content_json AS content, created_timestamp AS at
         FROM messages LEFT JOIN sessions ON sessions.id = session_id WHERE messages.id > ? ORDER BY messages.id LIMIT ?`,
      );
      let after = this.#remembers ? taken : Math.max(0, taken - REMEMBERED);
      this.#remembers = true;
      for (let rows = page.all(after, PAGE); rows.length > 0; rows = page.all(after, PAGE)) {
        for (const row of rows) {
          yield { text: recordOf(row), span: { start: row.id, end: row.id + 1 }, known: row.id <= taken };
          after = row.id;
          progress.last = Math.max(progress.last, row.id);
        }
      }
    } finally {
      db.close();
    }
  }
}

/** Put together as text: the content is JSON already. */
const recordOf = ({ id, session, folder, role, content, at }: MessageRow): string =>
  `{"id":"${id}","sessionId":${JSON.stringify(session)},"cwd":${JSON.stringify(folder ?? '')},"role":${JSON.stringify(role)},"created":${at},"content":${content}}`;
