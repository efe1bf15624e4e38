import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { fileStat } from '../platform/read-file.ts';
import type { ParsedLine, Parser, Span, Unpacked } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { stampOf } from './compressed.ts';
import { DocumentParser } from './documents.ts';
import { type Fields, list, object, parseRecord, text, time, wordsOf } from './fields.ts';

const SETTLED = 60 * 60_000; // ms; a transcript of the same chat, if there is one, is written by then
/** Fields of the root in their numbers: the messages by their hashes, and the address of the folder. */
const MESSAGE = 1;
const FOLDER = 9;
const HASH_BYTES = 32;

/**
 * A chat of Cursor's command line: a SQLite file of blobs, each named by its hash. The latest root is a protobuf
 * message that lists the messages in order, and these are JSON. Most versions write a transcript of the same chat as
 * well; then that is read instead.
 */
export class CursorChat implements Parser {
  readonly #path: string;
  readonly #document: DocumentParser;

  constructor(path: string) {
    this.#path = path;
    const parser = new ChatParser(path, { headers: ['header'] });
    this.#document = new DocumentParser(path, parser, {
      records: () => recordsIn(path),
      stamp: () => filesOf(path).map(stampOf).join(','),
    });
  }

  parse(record: string, span: Span): ParsedLine {
    return this.#document.parse(record, span);
  }

  unpack(bookmark: string): Unpacked {
    const writtenAt = Math.max(...filesOf(this.#path).map((file) => fileStat(file)?.mtimeMs ?? 0));
    const isReady = Date.now() - writtenAt >= SETTLED && !hasTranscript(this.#path);
    return isReady ? this.#document.unpack(bookmark) : { records: [], bookmark };
  }
}

/** The latest writes are in the write-ahead log until SQLite moves them over. */
const filesOf = (path: string): string[] => [path, `${path}-wal`].filter((file) => fileStat(file) !== null);

/** `chats/<folder's hash>/<chat>/store.db`, and beside it `projects/<folder>/agent-transcripts/<chat>…`. */
function hasTranscript(path: string): boolean {
  const chat = dirname(path);
  const projects = join(dirname(dirname(dirname(chat))), 'projects');
  return namesIn(projects).some((project) =>
    namesIn(join(projects, project, 'agent-transcripts')).some((name) =>
      [basename(chat), `${basename(chat)}.jsonl`].includes(name),
    ),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there
  }
}

function recordsIn(path: string): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const meta = metaOf(db);
    const blob = db.prepare<[string], Buffer>('SELECT data FROM blobs WHERE id = ?').pluck();
    const root = [...fieldsOf(blob.get(text(meta, 'latestRootBlobId')) ?? Buffer.alloc(0))];
    const folder = root.find(({ number }) => number === FOLDER)?.bytes.toString('utf8') ?? '';
    const messages = root
      .filter(({ number, bytes }) => number === MESSAGE && bytes.length === HASH_BYTES)
      .map(({ bytes }) => blob.get(bytes.toString('hex')))
      .filter((message) => message !== undefined);
    return [
      {
        type: 'header',
        id: text(meta, 'agentId') || basename(dirname(path)),
        cwd: pathOf(folder),
        timestamp: meta.createdAt,
      },
      ...messages.map((message) => recordOf(parseRecord(message.toString('utf8')))),
    ].map((record) => JSON.stringify(record));
  } finally {
    db.close();
  }
}

/** One row, as JSON written in hexadecimal digits. */
function metaOf(db: Database.Database): Fields {
  const written = db.prepare<[], string>('SELECT value FROM meta LIMIT 1').pluck().get() ?? '';
  return parseRecord(written.startsWith('{') ? written : Buffer.from(written, 'hex').toString('utf8'));
}

const pathOf = (address: string): string => (address.startsWith('file:') ? fileURLToPath(address) : address);

/** The first message of the user's is the harness's; the time of the others stands in their words. */
function recordOf(message: Fields): Fields {
  const said = wordsOf(message.content);
  const failed = object(
    object(object(message, 'providerOptions'), 'cursor'),
    'highLevelToolCallResult',
  ).isError;
  return {
    ...message,
    ...(message.role === 'user' ? { timestamp: timeIn(said), isMeta: said.startsWith('<user_info>') } : {}),
    ...(failed === true
      ? { content: list(message, 'content').map((part) => ({ ...part, is_error: true })) }
      : {}),
  };
}

/** "Thursday, Sep 24, 2026, 1:23 AM (UTC+8)"; without one it is the time of the message before. */
function timeIn(said: string): number | undefined {
  const [, written = ''] = /^<timestamp>([^<]*)<\/timestamp>/.exec(said) ?? [];
  return time(written.replace(/\((UTC[^)]*)\)/, '$1')) || undefined;
}

/** The fields of a protobuf message that have bytes; numbers are passed over. */
function* fieldsOf(bytes: Buffer): Generator<{ number: number; bytes: Buffer }> {
  let at = 0;
  const integer = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new TypeError('a message that is cut short');
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = integer();
    const kind = tag % 8;
    if (kind === 0) integer();
    else if (kind === 2) {
      const length = integer();
      yield { number: Math.floor(tag / 8), bytes: bytes.subarray(at, at + length) };
      at += length;
    } else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4;
    else throw new TypeError('no protobuf message');
  }
}
