import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { CrossEncoderRow, Source } from './manifest.ts';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-models-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A model with one file of any size. */
export function rowOf(content: Buffer, sources: Source[], id = 'tiny'): CrossEncoderRow {
  const file = { name: 'model.onnx', bytes: content.length, sha256: sha256(content), sources };
  return { id, role: 'cross-encoder', licence: 'MIT', maxTokens: 8, files: [file] };
}

/** A real HTTP server on this machine. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

/** Answers as a file server does, with or without a range. */
export function sendRange(request: IncomingMessage, response: ServerResponse, content: Buffer): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from >= content.length) response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  else {
    const range = from ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {};
    response
      .writeHead(from ? 206 : 200, { 'content-length': content.length - from, ...range })
      .end(content.subarray(from));
  }
}

/** A gzipped ustar archive; a path over 100 characters gets a pax entry, as npm's own archives have. */
export function tarball(files: Record<string, Buffer>): Buffer {
  const padded = (content: Buffer) =>
    Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  const entry = (path: string, content: Buffer, type: string) => {
    const header = Buffer.alloc(512);
    header.write(path.slice(0, 100), 0);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write(type, 156);
    header.write('ustar\0', 257);
    return Buffer.concat([header, padded(content)]);
  };
  const entries = Object.entries(files).flatMap(([path, content]) => [
    ...(path.length > 100 ? [entry('pax', paxPath(path), 'x')] : []),
    entry(path, content, '0'),
  ]);
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

/** "length path=…", where the length counts its own digits. */
function paxPath(path: string): Buffer {
  const rest = ` path=${path}\n`;
  const digits = String(rest.length + 3).length;
  return Buffer.from(`${rest.length + digits}${rest}`);
}
