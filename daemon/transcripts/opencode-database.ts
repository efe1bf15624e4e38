import Database from 'better-sqlite3';
import { Lru } from '../platform/lru.ts';
import type { Line, ParsedLine, Parser, Span, Unpacked } from './adapter.ts';
import { object, parseRecord, text } from './fields.ts';

interface SessionCount {
  session: string;
  messages: number;
  /** How many of them are older than the bookmark. */
  before: number;
  newest: number;
}

interface MessageRow {
  id: string;
  at: number;
  data: string;
}

const PAGE = 50; // messages
const REMEMBERED = 20; // messages of a session read again after a restart
const GIVEN_UP = 60 * 60_000; // ms after which a message that never ended counts as ended

/**
 * OpenCode's database, opened to read only. Each message is a record; it stands at its index in its session. A message is
 * taken once it is finished, and a session's messages in order, so that none is taken in half or twice.
 */
export class OpenCodeDatabase implements Parser {
  readonly manySessions = true;
  readonly #path: string;
  readonly #parser: Parser;
  readonly #taken = new Lru<string, number>(1_000);

  constructor(path: string, parser: Parser) {
    this.#path = path;
    this.#parser = parser;
  }

  parse(record: string, span: Span): ParsedLine {
    return this.#parser.parse(record, span);
  }

  /** A bookmark is the time up to which all messages were taken. */
  unpack(bookmark: string): Unpacked {
    const progress = { upTo: Number(bookmark) || 0 };
    return {
      records: this.#records(Number(bookmark) || 0, progress),
      get bookmark() {
        return String(progress.upTo);
      },
    };
  }

  *#records(since: number, progress: { upTo: number }): Generator<Line & { known?: boolean }> {
    const db = new Database(this.#path, { readonly: true, fileMustExist: true });
    try {
      const counts = db
        .prepare<[number], SessionCount>(
          `
        SELECT session_id AS session, count(*) AS messages, sum(time_created <= ?) AS before, max(time_created) AS newest
        FROM message GROUP BY session_id ORDER BY newest
      `,
        )
        .all(since);
      const newest = counts.at(-1)?.newest ?? 0;
      let upTo = Math.max(since, newest);
      for (const count of counts) {
        const waiting = yield* this.#session(db, count, newest);
        if (waiting !== null) upTo = Math.min(upTo, waiting - 1);
      }
      progress.upTo = upTo;
    } finally {
      db.close();
    }
  }

  /** The session's next messages; returns when the one that is not finished yet was begun. */
  *#session(
    db: Database.Database,
    { session, messages, before }: SessionCount,
    newest: number,
  ): Generator<Line & { known?: boolean }, number | null> {
    const taken = Math.min(this.#taken.get(session) ?? before, messages); // fewer than taken: the person undid some
    const from = this.#taken.has(session) || taken === messages ? taken : Math.max(0, taken - REMEMBERED);
    if (from === messages) return null;
    const page = db.prepare<[string, number, number], MessageRow>(
      'SELECT id, time_created AS at, data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT ? OFFSET ?',
    );
    const header = headerOf(db, session);
    for (let index = from; index < messages;) {
      for (const row of page.all(session, PAGE, index)) {
        const last = index === messages - 1;
        if (last && !isFinished(row) && newest - row.at < GIVEN_UP) return row.at;
        yield {
          text: recordOf(db, header, row),
          span: { start: index, end: index + 1 },
          known: index < taken,
        };
        this.#taken.set(session, ++index);
      }
    }
    return null;
  }
}

/** An answer says when it was completed; a prompt is whole once the answer has begun. */
function isFinished({ data }: MessageRow): boolean {
  try {
    const info = parseRecord(data);
    return text(info, 'role') === 'assistant' && ('completed' in object(info, 'time') || 'error' in info);
  } catch {
    return true; // it is no record and will not become one; its parser counts it
  }
}

function headerOf(db: Database.Database, session: string): string {
  const row = db
    .prepare<[string], object>('SELECT directory, parent_id AS parentID FROM session WHERE id = ?')
    .get(session);
  return JSON.stringify({ id: session, ...row });
}

/** Put together as text: what stands in the columns is JSON already. */
function recordOf(db: Database.Database, header: string, { id, at, data }: MessageRow): string {
  const parts = db
    .prepare<[string], string>('SELECT data FROM part WHERE message_id = ? ORDER BY id')
    .pluck()
    .all(id);
  return `{"session":${header},"id":${JSON.stringify(id)},"at":${at},"info":${data},"parts":[${parts.join(',')}]}`;
}
