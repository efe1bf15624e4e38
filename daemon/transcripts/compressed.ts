import { closeSync, readSync, statSync } from 'node:fs';
import { Decompress } from 'fzstd';
import { openToRead } from '../platform/read-file.ts';
import type { Line, Parser, Unpacked } from './adapter.ts';
import { LONGEST_LINE } from './tail.ts';

const CHUNK = 4 * 1024; // bytes of the compressed file at a time; each may become thousands
const NEWLINE = 10;

/** Lets a parser of lines read the same lines compressed. A cold file never grows, so it is read whole or not. */
export function unpackZstd(path: string, parser: Parser): Parser {
  return {
    parse: (record, span) => parser.parse(record, span),
    unpack(bookmark): Unpacked {
      const stamp = stampOf(path);
      return { records: bookmark === stamp ? [] : decompressedLines(path), bookmark: stamp };
    },
  };
}

/** Changes whenever the file does. */
export function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${Math.floor(mtimeMs)}:${size}`;
}

/** The lines with their byte positions before compression, so that a record keeps its name. */
function* decompressedLines(path: string): Generator<Line> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let start = 0;
  for (const chunk of decompressed(path)) {
    if (chunk === null) {
      yield { text: '', span: { start, end: start } }; // what cannot be decompressed is one bad record
      return;
    }
    let from = 0;
    for (let stop = chunk.indexOf(NEWLINE); stop >= 0; stop = chunk.indexOf(NEWLINE, from)) {
      const end = start + restLength + stop - from;
      if (end - start > LONGEST_LINE) yield { text: '', span: { start, end } };
      else if (end > start)
        yield {
          text: Buffer.concat([...rest, chunk.subarray(from, stop)]).toString('utf8'),
          span: { start, end },
        };
      [rest, restLength, start, from] = [[], 0, end + 1, stop + 1];
    }
    restLength += chunk.length - from;
    if (restLength > LONGEST_LINE) rest = [];
    else rest.push(chunk.subarray(from));
  }
  const last = Buffer.concat(rest).toString('utf8');
  if (last.trim() !== '') yield { text: last, span: { start, end: start + restLength } };
}

/** Pieces of the decompressed file, then null if the rest cannot be read; memory stays bounded whatever it holds. */
function* decompressed(path: string): Generator<Buffer | null> {
  const descriptor = openToRead(path);
  try {
    const pieces: Buffer[] = [];
    const stream = new Decompress((piece) => pieces.push(Buffer.from(piece))); // copied: it lends its own window
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = CHUNK; read > 0;) {
      read = readSync(descriptor, chunk);
      const whole = push(stream, chunk.subarray(0, read), read === 0);
      yield* pieces.splice(0);
      if (!whole) return yield null;
    }
  } finally {
    closeSync(descriptor);
  }
}

function push(stream: Decompress, bytes: Buffer, last: boolean): boolean {
  try {
    stream.push(Uint8Array.from(bytes), last);
    return true;
  } catch {
    return false; // the caller counts it
  }
}
