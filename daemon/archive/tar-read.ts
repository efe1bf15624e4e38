import type { FileHandle } from 'node:fs/promises';
import { DaemonError } from '#contract/errors.ts';
import { BLOCK, checksum } from './tar-write.ts';

export interface Member {
  name: string;
  size: number;
  /** Its content; what is not read is passed over. */
  chunks(): AsyncGenerator<Buffer>;
}

export const refused = (why: string): DaemonError => new DaemonError('bad-archive', why);

const READ = 1024 * 1024; // bytes
const LONGEST_RECORD = 64 * 1024; // bytes

/** Reads the members of a tar one after the other, believing nothing: plain files only, every header proven by its sum. */
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
        `${printable(longName ?? name)} is ${KINDS[type] ?? 'no plain file'}, which no export has`,
      );
    const until = source.position + size;
    yield { name: longName ?? name, size, chunks: () => source.chunks(until) };
    longName = null;
    await source.skipTo(until + ((BLOCK - (size % BLOCK)) % BLOCK));
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
    throw refused('it is damaged: it goes on after its end');
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
  if (size > LONGEST_RECORD) throw refused('a record about a member is too long');
  const record = (await source.take(size)).toString('utf8');
  await source.skipTo(source.position + ((BLOCK - (size % BLOCK)) % BLOCK));
  return record;
}

/** Of all that may be told about a member only its name is of use; what would change its size is not to be believed. */
function pathIn(record: string): string | null {
  const bytes = Buffer.from(record);
  let path: string | null = null;
  for (let at = 0; at < bytes.length;) {
    const [entry = '', length = '', key = ''] =
      /^(\d{1,6}) ([^=]+)=/.exec(bytes.toString('utf8', at, at + 100)) ?? [];
    const end = at + Number(length);
    if (entry === '' || Number(length) <= entry.length || end > bytes.length)
      throw refused('a record about a member is damaged');
    if (key === 'path') path = bytes.toString('utf8', at + entry.length, end - 1);
    else if (key === 'size' || key === 'linkpath' || key.startsWith('GNU.sparse'))
      throw refused(`a record about a member tells its ${key}, as no export does`);
    at = end;
  }
  return path;
}

/** The file as a stretch of bytes of which the next are taken. */
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
    if (this.#buffer.length < size) throw refused('it is cut off');
    return this.#advance(size);
  }

  async *chunks(until: number): AsyncGenerator<Buffer> {
    while (this.position < until) {
      await this.#fill(1);
      if (this.#buffer.length === 0) throw refused('it is cut off');
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
