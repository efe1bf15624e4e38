import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

export const BLOCK = 512; // bytes
const BUFFERED = 1024 * 1024; // bytes

const PATH_RECORD = 'PaxHeader';

/**
 * Writes a tar without compression, every byte of which follows from names and contents alone: no owner, no date, one mode.
 * By hand because both ends must be exact here, and the format is two pages.
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

  /** `size` must be what the chunks come to. */
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

  /** Ends the archive; gives the sha256 of all of it. */
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

/** The plain field holds a hundred bytes, and only ASCII means the same everywhere. */
const needsRecord = (name: string) => name.length > 100 || !/^[\x20-\x7e]*$/.test(name);

/** `<length> path=<name>\n`, where the length counts its own digits. */
function paxRecord(name: string): Buffer {
  const rest = Buffer.byteLength(` path=${name}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} path=${name}\n`);
}

const padding = (size: number) => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

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

/** The sum of all bytes, its own field counted as blanks. */
export function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}
