import { createHash } from 'node:crypto';
import { readAt } from '../platform/read-file.ts';
import type { Line } from './adapter.ts';

export interface Lines {
  lines: Line[];
  /** Where to read on: after the last whole record, because the one being written has no end yet. */
  position: number;
  /** Lines skipped because no real record is that long. */
  oversized: number;
}

const NEWLINE = 10;
const RETURN = 13;
export const LONGEST_LINE = 64 * 1024 * 1024; // bytes
/** A transcript that can only be read whole, such as one JSON document, may be as long as a line. */
export const WHOLE_FILE_LIMIT = { largest: LONGEST_LINE };

/** Whole lines from a position on, about `chunkBytes` of them; memory and time stay bounded whatever the file holds. */
export function readLines(descriptor: number, from: number, chunkBytes: number): Lines {
  const chunk = readAt(descriptor, from, chunkBytes);
  const end = chunk.lastIndexOf(NEWLINE);
  const isRest = isInsideOversized(descriptor, from);
  if (end < 0 && isRest) return { lines: [], position: from + chunk.length, oversized: 0 };
  if (end < 0 && chunk.length === chunkBytes) return readLongLine(descriptor, from, chunkBytes);
  const lines: Line[] = [];
  for (let start = isRest ? chunk.indexOf(NEWLINE) : 0; start <= end;) {
    const stop = chunk.indexOf(NEWLINE, start);
    const empty = stop === start || (stop === start + 1 && chunk[start] === RETURN);
    if (!empty)
      lines.push({
        text: chunk.toString('utf8', start, stop),
        span: { start: from + start, end: from + stop },
      });
    start = stop + 1;
  }
  const last = unendedLine(chunk.subarray(end + 1), from + end + 1);
  return { lines: [...lines, ...last.lines], position: last.position, oversized: 0 };
}

/** Reading stops after a line's end or after a whole record, and else only in a line that is too long. */
function isInsideOversized(descriptor: number, from: number): boolean {
  if (from < LONGEST_LINE) return false;
  const [before] = readAt(descriptor, from - 1, 1);
  return before !== NEWLINE && before !== CLOSE;
}

const [OPEN, CLOSE] = [123, 125]; // { and }

/** True for a JSON object without a line break behind it: the end of a session that was copied or cut off. */
function isWholeRecord(bytes: Buffer): boolean {
  if (bytes[0] !== OPEN || bytes.at(-1) !== CLOSE) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false; // still being written
  }
}

/** A line longer than a chunk, read whole up to the limit. The rest is left there, and skipped from call to call. */
function readLongLine(descriptor: number, from: number, chunkBytes: number): Lines {
  const pieces: Buffer[] = [];
  let position = from;
  while (position - from <= LONGEST_LINE) {
    const chunk = readAt(descriptor, position, chunkBytes);
    if (chunk.length === 0) return unendedLine(Buffer.concat(pieces), from);
    const stop = chunk.indexOf(NEWLINE);
    pieces.push(stop < 0 ? chunk : chunk.subarray(0, stop));
    const span = { start: from, end: position + stop };
    if (stop >= 0 && span.end - from <= LONGEST_LINE)
      return {
        lines: [{ text: Buffer.concat(pieces).toString('utf8'), span }],
        position: span.end + 1,
        oversized: 0,
      };
    position = stop < 0 ? position + chunk.length : span.end + 1;
  }
  return { lines: [], position, oversized: 1 };
}

function unendedLine(bytes: Buffer, from: number): Lines {
  if (!isWholeRecord(bytes)) return { lines: [], position: from, oversized: 0 };
  const span = { start: from, end: from + bytes.length };
  return { lines: [{ text: bytes.toString('utf8'), span }], position: span.end, oversized: 0 };
}

const FINGERPRINT_BYTES = 1024;

/**
 * `<length>:<hash>:<hash>` of how a file begins and of what stands right before a position. It holds while the file
 * only grows, and changes when another takes its place or its end is written again, be it to the same length.
 */
export function fingerprint(descriptor: number, position: number): string {
  const length = Math.min(position, FINGERPRINT_BYTES);
  return `${length}:${hashAt(descriptor, 0, length)}:${hashAt(descriptor, position - length, length)}`;
}

export function sameFile(descriptor: number, known: string, position: number): boolean {
  const [length = '', start, end] = known.split(':');
  if (hashAt(descriptor, 0, Number(length)) !== start) return false;
  return (
    end === undefined || hashAt(descriptor, Math.max(0, position - Number(length)), Number(length)) === end
  ); // older ones know only the beginning
}

const hashAt = (descriptor: number, from: number, length: number) =>
  createHash('sha1')
    .update(readAt(descriptor, from, length))
    .digest('hex')
    .slice(0, 16);
