import Database from 'better-sqlite3';
import { Lru } from '../platform/lru.ts';
import type { Line, ParsedLine, Parser, Span, Unpacked } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { embedded, type Fields, list, object, parseRecord, text, time } from './fields.ts';

/** A conversation, by Cursor's own list of them. */
interface Composer {
  id: string;
  createdAt: number;
  updatedAt: number;
  folder: string | null;
  isSubagent: number;
}

const REMEMBERED = 20; // messages of a conversation read again after a restart
const GIVEN_UP = 60 * 60_000; // ms after which a message that never ended counts as ended
const PERSON = 1; // the type of a message; 2 is the agent's
const UNFINISHED = new Set(['loading', 'pending', 'running', 'generating']);
const FAILED = new Set(['error', 'cancelled', 'rejected']);

/**
 * The database of Cursor's editor, opened to read only: a table of keys and JSON. `composerData:<conversation>` lists the messages
 * in order, `bubbleId:<conversation>:<message>` is one of them. A message stands at its index in its conversation, and is taken
 * once another follows it or the answer is complete.
 */
export class CursorDatabase implements Parser {
  readonly manySessions = true;
  readonly #path: string;
  readonly #parser: BubbleParser;
  readonly #taken = new Lru<string, number>(1_000);

  constructor(path: string) {
    this.#path = path;
    this.#parser = new BubbleParser(path, {});
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
      const changed = composersSince(db, since);
      const newest = changed.at(-1)?.updatedAt ?? since;
      let upTo = Math.max(since, newest);
      for (const composer of changed) {
        const waiting = yield* this.#conversation(db, composer, since, newest);
        if (waiting !== null) upTo = Math.min(upTo, waiting - 1);
      }
      progress.upTo = upTo;
    } finally {
      db.close();
    }
  }

  /** The next messages of a conversation; returns when the one that is not finished yet was begun. */
  *#conversation(
    db: Database.Database,
    composer: Composer,
    since: number,
    newest: number,
  ): Generator<Line & { known?: boolean }, number | null> {
    const { status, bubbles } = conversationOf(db, composer);
    const at = (bubble: Fields) => time(bubble.createdAt) || composer.createdAt;
    const before = bubbles.filter((bubble) => at(bubble) <= since).length;
    const taken = Math.min(this.#taken.get(composer.id) ?? before, bubbles.length); // fewer: the person went back
    const from = this.#taken.has(composer.id) ? taken : Math.max(0, taken - REMEMBERED);
    for (const [index, bubble] of bubbles.entries()) {
      if (index < from) continue;
      const last = index === bubbles.length - 1;
      if (last && isUnfinished(status, bubble) && newest - at(bubble) < GIVEN_UP) return at(bubble);
      yield {
        text: JSON.stringify(recordOf(composer, bubble, at(bubble))),
        span: { start: index, end: index + 1 },
        known: index < taken,
      };
      this.#taken.set(composer.id, Math.max(taken, index + 1));
    }
    return null;
  }
}

/** A conversation without a folder must not inherit that of the one before. */
class BubbleParser extends ChatParser {
  override parse(line: string, span: Span): ParsedLine {
    this.cwd = '';
    return super.parse(line, span);
  }
}

const HEADS = `SELECT composerId AS id, createdAt, lastUpdatedAt AS updatedAt, coalesce(isSubagent, 0) AS isSubagent,
  json_extract(CAST(value AS TEXT), '$.workspaceIdentifier.uri.fsPath') AS folder
  FROM composerHeaders WHERE lastUpdatedAt > ? AND json_valid(CAST(value AS TEXT)) ORDER BY lastUpdatedAt`;
/** Versions before 2026 have no list beside the conversations themselves. */
const WITHOUT_HEADS = `SELECT substr(key, 14) AS id, data ->> '$.createdAt' AS createdAt, data ->> '$.lastUpdatedAt' AS updatedAt,
  data ->> '$.subagentInfo' IS NOT NULL AS isSubagent, data ->> '$.workspaceIdentifier.uri.fsPath' AS folder
  FROM (SELECT key, CAST(value AS TEXT) AS data FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;')
  WHERE json_valid(data) AND coalesce(updatedAt, createdAt) > ? ORDER BY coalesce(updatedAt, createdAt)`;

/** The conversations that changed, the latest last. */
function composersSince(db: Database.Database, since: number): Composer[] {
  const hasHeads =
    db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'composerHeaders'`).get() !== undefined;
  return db
    .prepare<[number], Composer>(hasHeads ? HEADS : WITHOUT_HEADS)
    .all(since)
    .map((composer) => ({ ...composer, updatedAt: composer.updatedAt || composer.createdAt }));
}

/** Old versions keep the messages in the conversation itself. */
function conversationOf(db: Database.Database, { id }: Composer): { status: string; bubbles: Fields[] } {
  const value = db
    .prepare<[string], string | null>('SELECT CAST(value AS TEXT) FROM cursorDiskKV WHERE key = ?')
    .pluck();
  const data = readOrEmpty(value.get(`composerData:${id}`));
  const headers = list(data, 'fullConversationHeadersOnly');
  const bubbles = headers.map((header) => {
    const bubbleId = text(header, 'bubbleId');
    return { ...header, ...readOrEmpty(value.get(`bubbleId:${id}:${bubbleId}`)) };
  });
  return { status: text(data, 'status'), bubbles: headers.length > 0 ? bubbles : list(data, 'conversation') };
}

function readOrEmpty(value: string | null | undefined): Fields {
  try {
    return value ? parseRecord(value) : {};
  } catch {
    return {}; // a message that is being written, or a damaged one: its neighbours are read all the same
  }
}

const isUnfinished = (status: string, bubble: Fields): boolean =>
  UNFINISHED.has(status) || UNFINISHED.has(text(object(bubble, 'toolFormerData'), 'status'));

/** A message in the words of the common format; a tool's call and result share one. */
function recordOf({ id, folder, isSubagent }: Composer, bubble: Fields, timestamp: number): Fields {
  const said = text(bubble, 'text');
  const tool = object(bubble, 'toolFormerData');
  const common = { id: text(bubble, 'bubbleId'), sessionId: id, cwd: folder ?? '', timestamp };
  return {
    ...common,
    role: bubble.type === PERSON ? 'user' : 'assistant',
    isMeta: isSubagent === 1,
    content: [
      ...(said ? [{ type: 'text', text: said }] : []),
      ...(text(tool, 'name') ? callAndResult(tool) : []),
    ],
  };
}

function callAndResult(tool: Fields): Fields[] {
  const id = text(tool, 'toolCallId');
  const result = typeof tool.result === 'string' ? embedded(tool.result) : object(tool, 'result');
  const states = [text(tool, 'status'), text(object(tool, 'additionalData'), 'status')];
  const failed = states.some((state) => FAILED.has(state)) || result.rejected === true;
  const written = text(tool, 'rawArgs', 'params');
  return [
    { type: 'tool_use', id, name: tool.name, input: written ? embedded(written) : object(tool, 'params') },
    {
      type: 'tool_result',
      tool_use_id: id,
      content: Object.keys(result).length > 0 ? result : text(tool, 'result', 'error'),
      is_error: failed,
    },
  ];
}
