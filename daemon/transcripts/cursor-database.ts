import type Database from 'better-sqlite3';
import type { ParsedLine, Span } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { embedded, type Fields, list, object, parseRecord, text, time } from './fields.ts';
import { GIVEN_UP, REMEMBERED, SessionDatabase, type SessionRecords } from './session-database.ts';

/** A conversation, by Cursor's own list of them. */
interface Composer {
  id: string;
  createdAt: number;
  newest: number;
  folder: string | null;
  isSubagent: number;
}

const PERSON = 1; // the type of a message; 2 is the agent's
const UNFINISHED = new Set(['loading', 'pending', 'running', 'generating']);
const FAILED = new Set(['error', 'cancelled', 'rejected']);

/**
 * The database of Cursor's editor: a table of keys and JSON. `composerData:<conversation>` lists the messages
 * in order, `bubbleId:<conversation>:<message>` is one of them. A message is finished once another follows it or the
 * answer is complete.
 */
export class CursorDatabase extends SessionDatabase<Composer> {
  constructor(path: string) {
    super(path, new BubbleParser(path, {}));
  }

  protected override sessionsSince(db: Database.Database, since: number): Composer[] {
    const hasHeads =
      db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'composerHeaders'`).get() !== undefined;
    return db
      .prepare<[number], Composer>(hasHeads ? HEADS : WITHOUT_HEADS)
      .all(since)
      .map((composer) => ({ ...composer, newest: composer.newest || composer.createdAt }));
  }

  protected override *recordsOf(
    db: Database.Database,
    composer: Composer,
    since: number,
    newest: number,
  ): SessionRecords {
    const { status, bubbles } = conversationOf(db, composer);
    const at = (bubble: Fields) => time(bubble.createdAt) || composer.createdAt;
    const before = bubbles.filter((bubble) => at(bubble) <= since).length;
    const taken = Math.min(this.taken.get(composer.id) ?? before, bubbles.length); // fewer: the person went back
    const from = this.taken.has(composer.id) ? taken : Math.max(0, taken - REMEMBERED);
    for (const [index, bubble] of bubbles.entries()) {
      if (index < from) continue;
      const last = index === bubbles.length - 1;
      if (last && isUnfinished(status, bubble) && newest - at(bubble) < GIVEN_UP) return at(bubble);
      yield {
        text: JSON.stringify(recordOf(composer, bubble, at(bubble))),
        span: { start: index, end: index + 1 },
        known: index < taken,
      };
      this.taken.set(composer.id, Math.max(taken, index + 1));
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

const HEADS = `SELECT composerId AS id, createdAt, lastUpdatedAt AS newest, coalesce(isSubagent, 0) AS isSubagent,
  json_extract(CAST(value AS TEXT), '$.workspaceIdentifier.uri.fsPath') AS folder
  FROM composerHeaders WHERE lastUpdatedAt > ? AND json_valid(CAST(value AS TEXT)) ORDER BY lastUpdatedAt`;
/** Versions before 2026 have no list beside the conversations themselves. */
const WITHOUT_HEADS = `SELECT substr(key, 14) AS id, data ->> '$.createdAt' AS createdAt, data ->> '$.lastUpdatedAt' AS newest,
  data ->> '$.subagentInfo' IS NOT NULL AS isSubagent, data ->> '$.workspaceIdentifier.uri.fsPath' AS folder
  FROM (SELECT key, CAST(value AS TEXT) AS data FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;')
  WHERE json_valid(data) AND coalesce(newest, createdAt) > ? ORDER BY coalesce(newest, createdAt)`;

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
