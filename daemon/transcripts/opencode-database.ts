import type Database from 'better-sqlite3';
import { object, parseRecord, text } from './fields.ts';
import { GIVEN_UP, REMEMBERED, SessionDatabase, type SessionRecords } from './session-database.ts';

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

export class OpenCodeDatabase extends SessionDatabase<SessionCount> {
  protected override sessionsSince(db: Database.Database, since: number): SessionCount[] {
    return db
      .prepare<[number], SessionCount>(`
        SELECT session_id AS session, count(*) AS messages, sum(time_created <= ?) AS before, max(time_created) AS newest
        FROM message GROUP BY session_id ORDER BY newest
      `)
      .all(since);
  }

  protected override *recordsOf(
    db: Database.Database,
    { session, messages, before }: SessionCount,
    _since: number,
    newest: number,
  ): SessionRecords {
    const taken = Math.min(this.taken.get(session) ?? before, messages); // fewer than taken: the person undid some
    const from = this.taken.has(session) || taken === messages ? taken : Math.max(0, taken - REMEMBERED);
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
        this.taken.set(session, ++index);
      }
    }
    return null;
  }
}

/** An answer says when it was completed; a prompt is whole once the answer has started. */
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
