import Database from 'better-sqlite3';
import { Lru } from '../platform/lru.ts';
import type { Line, ParsedLine, Parser, Span, Unpacked } from './adapter.ts';

export const REMEMBERED = 20; // messages of a session read again after a restart
export const GIVEN_UP = 60 * 60_000; // ms after which a message that never ended counts as ended

/** Records of a session; ends with the time at which the one that is not finished yet was started. */
export type SessionRecords = Generator<Line & { known?: boolean }, number | null>;

/**
 * A database of an agent with many sessions, opened to read only. Each message is a record; it stands at its index in
 * its session. A message is taken once it is finished, and a session's messages in order, so that none is taken in half
 * or twice.
 */
export abstract class SessionDatabase<Session extends { newest: number }> implements Parser {
  readonly manySessions = true;
  readonly #path: string;
  readonly #parser: Parser;
  /** How many messages of each session were taken. */
  protected readonly taken = new Lru<string, number>(1_000);

  constructor(path: string, parser: Parser) {
    this.#path = path;
    this.#parser = parser;
  }

  /** The sessions to read, the one that changed last at the end. */
  protected abstract sessionsSince(db: Database.Database, since: number): Session[];

  /** The session's next messages. */
  protected abstract recordsOf(
    db: Database.Database,
    session: Session,
    since: number,
    newest: number,
  ): SessionRecords;

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
      const sessions = this.sessionsSince(db, since);
      const newest = sessions.at(-1)?.newest ?? since;
      let upTo = Math.max(since, newest);
      for (const session of sessions) {
        const waiting = yield* this.recordsOf(db, session, since, newest);
        if (waiting !== null) upTo = Math.min(upTo, waiting - 1);
      }
      progress.upTo = upTo;
    } finally {
      db.close();
    }
  }
}
