import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const KEY_BYTES = 16;

/** A file of vectors by text, because embedding ten thousand documents takes minutes and reading their vectors does not. */
export class VectorCache {
  readonly #file: string;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(file: string, dims: number) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    const content = readFileSync(file);
    const size = KEY_BYTES + dims * 4;
    for (let at = 0; at + size <= content.length; at += size) {
      const key = content.toString('hex', at, at + KEY_BYTES);
      this.#vectors.set(
        key,
        new Float32Array(
          content.buffer.slice(content.byteOffset + at + KEY_BYTES, content.byteOffset + at + size),
        ),
      );
    }
  }

  async get(text: string, make: (text: string) => Promise<Float32Array>): Promise<Float32Array> {
    const key = createHash('sha256').update(text).digest().subarray(0, KEY_BYTES);
    const known = this.#vectors.get(key.toString('hex'));
    if (known) return known;
    const vector = await make(text);
    this.#vectors.set(key.toString('hex'), vector);
    appendFileSync(
      this.#file,
      Buffer.concat([key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
    );
    return vector;
  }
}
