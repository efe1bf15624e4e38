import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;

interface Entry {
  path: string;
  size: number;
  type: string;
}

/** Extracts the file `path` of a gzipped tar to `target` and stops there. Returns false if it is not in the tar. */
export async function extractFile(tarball: string, path: string, target: string): Promise<boolean> {
  const file = createReadStream(tarball);
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  const blocks = new BlockReader(file.pipe(gunzip));
  try {
    let longPath: string | null = null;
    for (;;) {
      const header = await blocks.take(BLOCK);
      if (!header || header.every((byte) => byte === 0)) return false;
      const entry = readHeader(header);
      if (entry.type === 'x' || entry.type === 'L') {
        longPath = pathIn(entry.type, await blocks.content(entry.size));
        continue;
      }
      const entryPath: string = longPath ?? entry.path;
      longPath = null;
      if (entryPath === path && (entry.type === '0' || entry.type === '\0')) {
        const out = createWriteStream(target);
        for await (const chunk of blocks.stream(entry.size)) if (!out.write(chunk)) await once(out, 'drain');
        out.end();
        await once(out, 'finish');
        return true;
      }
      for await (const _ of blocks.stream(entry.size));
    }
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function readHeader(header: Buffer): Entry {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const prefix = text(345, 155);
  return {
    path: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
    size: Number.parseInt(text(124, 12).trim() || '0', 8),
    type: header.toString('latin1', 156, 157),
  };
}

/** Names over 100 characters have a separate entry: pax (`x`, "length key=value" lines) or GNU (`L`, the name). */
function pathIn(type: 'x' | 'L', content: Buffer): string | null {
  const text = content.toString('utf8');
  return type === 'L' ? text.replace(/\0.*$/s, '') : (/^\d+ path=(.*)$/m.exec(text)?.[1] ?? null);
}

/** Reads a stream in pieces of a given length and buffers no more than one chunk. */
class BlockReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Exactly `length` bytes, or null at the end. */
  async take(length: number): Promise<Buffer | null> {
    while (this.#rest.length < length) {
      const next = await this.#chunks.next();
      if (next.done) return null;
      this.#rest = this.#rest.length ? Buffer.concat([this.#rest, next.value]) : next.value;
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** Streams the `length` bytes of an entry and skips the padding after them. */
  async *stream(length: number): AsyncGenerator<Buffer> {
    let left = length;
    while (left > 0) {
      const piece = await this.take(Math.min(left, this.#rest.length || BLOCK));
      if (!piece) throw new Error('the archive ends in the middle of a file');
      left -= piece.length;
      yield piece;
    }
    await this.take((BLOCK - (length % BLOCK)) % BLOCK);
  }

  async content(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.stream(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}
