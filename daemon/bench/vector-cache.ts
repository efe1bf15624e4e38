import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const KEY_BYTES = 16;
const LENGTH_BYTES = 4;

/** Vectors or tokens by text, in a file: embedding ten thousand documents takes minutes, reading them does not. */
export class VectorCache {
  readonly #file: string;
  readonly #entries = new Map<string, Buffer>();

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    for (let at = 0; at + KEY_BYTES + LENGTH_BYTES <= content.length;) {
      const from = at + KEY_BYTES + LENGTH_BYTES;
      const to = from + content.readUInt32LE(at + KEY_BYTES);
      if (to > content.length) break; // the last run was killed while it wrote
      this.#entries.set(content.toString('hex', at, at + KEY_BYTES), content.subarray(from, to));
      at = to;
    }
  }

  async get(text: string, make: (text: string) => Promise<Buffer>): Promise<Buffer> {
    const key = createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
    const known = this.#entries.get(key.toString('hex'));
    if (known) return known;
    const bytes = await make(text);
    this.#entries.set(key.toString('hex'), bytes);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    appendFileSync(this.#file, Buffer.concat([key, length, bytes]));
    return bytes;
  }
}
