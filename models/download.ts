import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';

/** A source that failed; the message tells a person what to do about it. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
}

/** Time limits, short because the next source is tried after this one. */
export interface Timeouts {
  firstByteMs: number;
  stallMs: number;
}
export const TIMEOUTS: Timeouts = { firstByteMs: 5_000, stallMs: 20_000 };

/** State of the network within one run: hosts in `unreachable` are not tried again. */
export interface Network {
  unreachable: Set<string>;
  timeouts: Timeouts;
  signal?: AbortSignal | undefined;
}

type OnBytes = (received: number, total: number | null) => void;

const ATTEMPTS = 4;

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Downloads `url` to `part`, continuing from the bytes that are already there. A broken connection is resumed as long
 * as each attempt makes progress; the partial file stays for the next run.
 */
export async function download(url: string, part: string, network: Network, onBytes: OnBytes): Promise<void> {
  const { host } = new URL(url);
  if (network.unreachable.has(host)) throw new SourceFailure(`${host} did not answer earlier in this run`);
  for (let attempt = 1; ; attempt += 1) {
    const before = await sizeOf(part);
    try {
      await downloadOnce(url, part, network, onBytes);
      return;
    } catch (error) {
      network.signal?.throwIfAborted();
      if (error instanceof SourceFailure) throw error;
      const stuck = (await sizeOf(part)) <= before;
      if (stuck) network.unreachable.add(host);
      if (stuck || attempt === ATTEMPTS) throw new SourceFailure(`${host}: ${reasonOf(error)}`);
    }
  }
}

async function downloadOnce(url: string, part: string, network: Network, onBytes: OnBytes): Promise<void> {
  const stalled = new AbortController();
  const give = (ms: number, sentence: string) => setTimeout(() => stalled.abort(new Error(sentence)), ms);
  let timer = give(network.timeouts.firstByteMs, 'no answer in time');
  try {
    const from = await sizeOf(part);
    const response = await fetch(url, {
      // Byte offsets must be those of the file, so compression is off.
      headers: { 'accept-encoding': 'identity', ...(from ? { range: `bytes=${from}-` } : {}) },
      signal: network.signal ? AbortSignal.any([stalled.signal, network.signal]) : stalled.signal,
    });
    if (response.status === 416) {
      await response.body?.cancel();
      // Either the file is complete, which the caller's hash check confirms, or the part belongs to another file.
      if (rangeTotal(response) === from) return;
      await rm(part, { force: true });
      throw new SourceFailure(`${url} does not match the partial download`);
    }
    if (!response.ok || !response.body) throw new SourceFailure(`${url} answered ${response.status}`);

    const resumed = response.status === 206;
    let received = resumed ? from : 0;
    const length = Number(response.headers.get('content-length')) || null;
    const total = length === null ? null : received + length;
    const out = createWriteStream(part, { flags: resumed ? 'a' : 'w' });
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = give(network.timeouts.stallMs, 'the download stalled');
        if (!out.write(chunk)) await once(out, 'drain');
        received += chunk.length;
        onBytes(received, total);
      }
    } finally {
      // After a break too: the next attempt continues from the bytes on disk.
      await new Promise<void>((resolve, reject) =>
        out.end((error?: Error | null) => (error ? reject(error) : resolve())),
      );
    }
    if (total !== null && received < total) throw new Error('the connection broke');
  } finally {
    clearTimeout(timer);
  }
}

function rangeTotal(response: Response): number | null {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
