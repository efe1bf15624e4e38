import { appendFileSync, closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryHome } from '../testing/running-daemon.ts';
import { fingerprint, LONGEST_LINE, readLines, sameFile } from './tail.ts';

function file(content: string | Buffer): { path: string; descriptor: number } {
  const path = join(temporaryHome(), 'transcript.jsonl');
  writeFileSync(path, content);
  const descriptor = openSync(path, 'r');
  onTestFinished(() => closeSync(descriptor));
  return { path, descriptor };
}

test('gives whole lines with the bytes they stand at, and leaves the unfinished one for later', () => {
  const { descriptor } = file('{"a":1}\n{"ü":2}\n{"unfin');
  expect(readLines(descriptor, 0, 1_000)).toEqual({
    lines: [
      { text: '{"a":1}', span: { start: 0, end: 7 } },
      { text: '{"ü":2}', span: { start: 8, end: 16 } },
    ],
    position: 17,
    oversized: 0,
  });
});

test('the last record of a file that ends without a line break is read, and what is added to it later', () => {
  const { path, descriptor } = file('{"a":1}\n{"b":2}');
  const first = readLines(descriptor, 0, 1_000);
  expect(first).toEqual({
    lines: [
      { text: '{"a":1}', span: { start: 0, end: 7 } },
      { text: '{"b":2}', span: { start: 8, end: 15 } },
    ],
    position: 15,
    oversized: 0,
  });
  appendFileSync(path, '\n{"c":3}\n');
  expect(readLines(descriptor, first.position, 1_000)).toMatchObject({
    lines: [{ text: '{"c":3}' }],
    position: 24,
  });
});

test('the same holds for a last record longer than a piece', () => {
  const record = JSON.stringify({ text: 'word '.repeat(100) });
  const { descriptor } = file(record);
  expect(readLines(descriptor, 0, 64)).toMatchObject({ lines: [{ text: record }], position: record.length });
  expect(readLines(file(record.slice(0, -1)).descriptor, 0, 64)).toMatchObject({ lines: [], position: 0 });
});

test('reading in small pieces gives the same lines as reading at once', () => {
  const text =
    Array.from({ length: 50 }, (_, index) => JSON.stringify({ index, text: 'word '.repeat(index) })).join(
      '\n',
    ) + '\n';
  const { descriptor } = file(text);
  const pieces: string[] = [];
  for (let position = 0; position < Buffer.byteLength(text);) {
    const { lines, position: next } = readLines(descriptor, position, 64);
    pieces.push(...lines.map((line) => line.text));
    expect(next).toBeGreaterThan(position);
    position = next;
  }
  expect(pieces).toEqual(text.trimEnd().split('\n'));
});

test('a line longer than any honest record is passed over, counted, and what follows is read', () => {
  const huge = Buffer.alloc(LONGEST_LINE + 10, 'x');
  const { descriptor } = file(Buffer.concat([huge, Buffer.from('\n{"a":1}\n')]));
  const first = readLines(descriptor, 0, 1024 * 1024);
  expect(first).toEqual({ lines: [], position: LONGEST_LINE + 11, oversized: 1 });
  expect(readLines(descriptor, first.position, 1024 * 1024).lines.map(({ text }) => text)).toEqual([
    '{"a":1}',
  ]);
});

test('bytes that are no UTF-8 do not stop the reading', () => {
  const { descriptor } = file(Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('{"a":1}\n')]));
  expect(readLines(descriptor, 0, 100).lines.at(-1)?.text).toBe('{"a":1}');
});

test('a file is the same while it grows, and another once its beginning or what was read last has changed', () => {
  const read = '{"first":1}\n{"second":2}\n';
  const { path, descriptor } = file(read);
  const known = fingerprint(descriptor, read.length);
  const stillSame = (content: string) => {
    writeFileSync(path, content);
    return sameFile(descriptor, known, read.length);
  };
  expect(stillSame(`${read}{"third":3}\n`)).toBe(true);
  expect(stillSame(read.replace('first', 'other'))).toBe(false);
  expect(stillSame(read.replace('second', 'sixth!'))).toBe(false);
});

test('the end of a long file counts, though its beginning stays', () => {
  const lines = Array.from({ length: 500 }, (_, index) => `{"line":${index}}\n`).join('');
  const { path, descriptor } = file(lines);
  const known = fingerprint(descriptor, lines.length);
  writeFileSync(path, lines.replace('{"line":499}', '{"line":498}'));
  expect(sameFile(descriptor, known, lines.length)).toBe(false);
});

test('a file without any line break is passed over a piece at a time, once, and what follows is read', () => {
  const { path, descriptor } = file('');
  const [chunk, size] = [1_000_000, 3 * LONGEST_LINE];
  truncateSync(path, size);
  let [position, oversized] = [0, 0];
  while (position < size) {
    const next = readLines(descriptor, position, chunk);
    expect(next.position - position).toBeGreaterThan(0);
    expect(next.position - position).toBeLessThanOrEqual(LONGEST_LINE + chunk);
    position = next.position;
    oversized += next.oversized;
  }
  expect(oversized).toBe(1);
  appendFileSync(path, 'the end\n{"a":1}\n');
  expect(readLines(descriptor, position, chunk)).toMatchObject({
    lines: [{ text: '{"a":1}' }],
    oversized: 0,
  });
});
