import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openToRead, readAt } from '../platform/read-file.ts';
import { refused } from '../store/archive/schema.ts';

export const BLOCK = 512; // bytes
const BUFFERED = 1024 * 1024; // bytes

const PATH_RECORD = 'PaxHeader';

/**
 * Writes a tar without compression whose bytes depend on names and contents alone: no owner, no date, one mode.
 * Our own code, because the bytes must be exact when writing and reading, and the format is two pages.
 */
export class TarWriter {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #waiting: Uint8Array[] = [];
  #size = 0;
  bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(name: string, content: Uint8Array): Promise<void> {
    await this.addStream(name, content.length, [content]);
  }

  /** `size` must be the total of the chunks. */
  async addStream(
    name: string,
    size: number,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    if (needsRecord(name)) {
      const record = paxRecord(name);
      await this.#write(header(PATH_RECORD, record.length, 'x'), record, padding(record.length));
    }
    await this.#write(header(needsRecord(name) ? PATH_RECORD : name, size, '0'));
    let written = 0;
    for await (const chunk of chunks) {
      written += chunk.length;
      await this.#write(chunk);
    }
    if (written !== size) throw new Error(`${name} changed while it was written`);
    await this.#write(padding(size));
  }

  /** Ends the archive and returns the sha256 of all of it. */
  async finish(): Promise<string> {
    await this.#write(new Uint8Array(2 * BLOCK));
    await this.#flush();
    await this.#file.sync();
    return this.#hash.digest('hex');
  }

  async #write(...parts: Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#hash.update(part);
      this.#waiting.push(part);
      this.#size += part.length;
      this.bytes += part.length;
    }
    if (this.#size >= BUFFERED) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    [this.#waiting, this.#size] = [[], 0];
    for (let written = 0; written < bytes.length;)
      written += (await this.#file.write(bytes, written)).bytesWritten;
  }
}

/** The plain name field has 100 bytes, and only ASCII means the same everywhere. */
const needsRecord = (name: string) => name.length > 100 || !/^[\x20-\x7e]*$/.test(name);

/** `<length> path=<name>\n`, where the length counts its own digits. */
function paxRecord(name: string): Buffer {
  const rest = Buffer.byteLength(` path=${name}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} path=${name}\n`);
}

const padded = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;
const padding = (size: number) => new Uint8Array(padded(size));

/** https://www.gnu.org/software/tar/manual/html_node/Standard.html */
function header(name: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o644, 100, 8);
  octal(0, 108, 8); // uid
  octal(0, 116, 8); // gid
  octal(size, 124, 12);
  octal(0, 136, 12); // mtime
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** The sum of all bytes, with the checksum field itself counted as blanks. */
export function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

export interface Member {
  name: string;
  size: number;
  /** Its content; unread bytes are skipped. */
  chunks: () => AsyncGenerator<Buffer>;
}

const READ = 1024 * 1024; // bytes
const LONGEST_RECORD = 64 * 1024; // bytes

/** Reads the members of an untrusted tar in order: plain files only, every header verified by its checksum. */
export async function* readTar(file: FileHandle): AsyncGenerator<Member> {
  const source = new Source(file);
  await refuseCompressed(source);
  let longName: string | null = null;
  for (;;) {
    const block = await source.take(BLOCK);
    if (block.every((byte) => byte === 0)) return expectEnd(source);
    const { name, size, type } = parseHeader(block);
    if (type === 'x') {
      longName = pathIn(await readRecord(source, size)) ?? longName;
      continue;
    }
    if (type !== '0' && type !== '\0')
      throw refused(
        `${printable(longName ?? name)} is ${KINDS[type] ?? 'not a plain file'}, which no export has`,
      );
    const until = source.position + size;
    yield { name: longName ?? name, size, chunks: () => source.chunks(until) };
    longName = null;
    await source.skipTo(until + padded(size));
  }
}

const KINDS: Readonly<Record<string, string>> = {
  1: 'a link',
  2: 'a link',
  3: 'a device',
  4: 'a device',
  5: 'a folder',
  6: 'a pipe',
  S: 'a sparse file',
};

const printable = (name: string) => JSON.stringify(name.slice(0, 200));

async function expectEnd(source: Source): Promise<void> {
  if ((await source.take(BLOCK)).some((byte) => byte !== 0))
    throw refused('it is damaged: it continues after its end');
}

async function refuseCompressed(source: Source): Promise<void> {
  const start = await source.peek(4);
  if (start.length === 0) throw refused('it is empty');
  if (start[0] === 0x1f && start[1] === 0x8b) throw refused('it is not a tar: it is compressed with gzip');
  if (start.equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])))
    throw refused('it is not a tar: it is compressed with zstd');
}

function parseHeader(block: Buffer): { name: string; size: number; type: string } {
  const text = (at: number, length: number) =>
    block.toString('utf8', at, at + length).replace(/\0[\s\S]*$/, '');
  const number = (at: number, length: number) =>
    /^ *[0-7]+[ \0]*$/.test(block.toString('latin1', at, at + length)) ? parseInt(text(at, length), 8) : NaN;
  if (number(148, 8) !== checksum(block))
    throw refused('it is not a tar, or damaged: a header does not add up');
  const size = number(124, 12);
  if (!Number.isSafeInteger(size)) throw refused('a member has no readable size');
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  return {
    name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
    size,
    type: block.toString('latin1', 156, 157),
  };
}

async function readRecord(source: Source, size: number): Promise<string> {
  if (size > LONGEST_RECORD) throw refused('an extended header is too long');
  const record = (await source.take(size)).toString('utf8');
  await source.skipTo(source.position + padded(size));
  return record;
}

/** Reads the name from a member's extended header; one that would change the member's size is refused. */
function pathIn(record: string): string | null {
  const bytes = Buffer.from(record);
  let path: string | null = null;
  for (let at = 0; at < bytes.length;) {
    const [entry = '', length = '', key = ''] =
      /^(\d{1,6}) ([^=]+)=/.exec(bytes.toString('utf8', at, at + 100)) ?? [];
    const end = at + Number(length);
    if (entry === '' || Number(length) <= entry.length || end > bytes.length)
      throw refused('an extended header is damaged');
    if (key === 'path') path = bytes.toString('utf8', at + entry.length, end - 1);
    else if (key === 'size' || key === 'linkpath' || key.startsWith('GNU.sparse'))
      throw refused(`an extended header sets ${key}, which no export does`);
    at = end;
  }
  return path;
}

/** The file as a stream with a position. */
class Source {
  readonly #file: FileHandle;
  #buffer = Buffer.alloc(0);
  position = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async peek(size: number): Promise<Buffer> {
    await this.#fill(size);
    return this.#buffer.subarray(0, size);
  }

  async take(size: number): Promise<Buffer> {
    await this.#fill(size);
    if (this.#buffer.length < size) throw refused('it is truncated');
    return this.#advance(size);
  }

  async *chunks(until: number): AsyncGenerator<Buffer> {
    while (this.position < until) {
      await this.#fill(1);
      if (this.#buffer.length === 0) throw refused('it is truncated');
      yield this.#advance(Math.min(this.#buffer.length, until - this.position));
    }
  }

  async skipTo(position: number): Promise<void> {
    for await (const _ of this.chunks(position));
  }

  #advance(size: number): Buffer {
    const taken = this.#buffer.subarray(0, size);
    this.#buffer = this.#buffer.subarray(size);
    this.position += size;
    return taken;
  }

  async #fill(size: number): Promise<void> {
    while (this.#buffer.length < size) {
      const chunk = Buffer.allocUnsafe(READ);
      const { bytesRead } = await this.#file.read(chunk, 0, READ);
      if (bytesRead === 0) return;
      this.#buffer = Buffer.concat([this.#buffer, chunk.subarray(0, bytesRead)]);
    }
  }
}

/** True for a file that begins as every tar does. */
export function isTar(path: string): boolean {
  const file = openToRead(path);
  try {
    return readAt(file, 257, 5).toString('latin1') === 'ustar';
  } finally {
    closeSync(file);
  }
}
