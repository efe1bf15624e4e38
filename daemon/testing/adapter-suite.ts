import { mkdirSync, openSync, closeSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Line, ParsedLine, Parser, TranscriptAdapter, TranscriptEvent } from '../transcripts/adapter.ts';
import { readLines } from '../transcripts/tail.ts';
import { tempFolder } from './temp-home.ts';

type ExpectedEvent = Pick<TranscriptEvent, 'kind'> & Record<string, unknown>;

export interface RecordedSession {
  /** Where the file stands below the agent's folder. */
  file: string;
  /** The text of the file, or a function that writes several files into the folder it is given. */
  content: string | ((folder: string) => void);
  events: ExpectedEvent[];
  /** A record of a kind that is invented tomorrow; null for formats without kinds. */
  unknown?: string | null;
}

/** Every record of a transcript that was not taken before a bookmark. */
export function recordsOf(
  parser: Parser,
  path: string,
  bookmark = '',
): { records: Line[]; bookmark: string } {
  if (parser.unpack) {
    const unpacked = parser.unpack(bookmark);
    const all = [...unpacked.records].map((record) => ({ ...record }));
    for (const record of all.filter(({ known }) => known)) parser.parse(record.text, record.span);
    return { records: all.filter(({ known }) => !known), bookmark: unpacked.bookmark };
  }
  const descriptor = openSync(path, 'r');
  const { lines } = readLines(descriptor, 0, 64 * 1024 * 1024);
  closeSync(descriptor);
  return { records: lines, bookmark };
}

const eventsOf = (parsed: ParsedLine[]) => parsed.flatMap(({ events }) => events);

/** The promises of every adapter. A new agent brings a session of its own and passes this unchanged. */
export function testAdapter(
  adapter: TranscriptAdapter,
  { file, content, events: expected, unknown = '{"type":"invented-tomorrow"}' }: RecordedSession,
): void {
  let path = '';
  const open = () => adapter.open(path);
  const parseAll = (change = (text: string) => text) => {
    const parser = open();
    return recordsOf(parser, path).records.map(({ text, span }) => ({
      text,
      parsed: parser.parse(change(text), span),
    }));
  };

  describe(`transcripts: ${adapter.agent} (${file})`, () => {
    beforeEach(() => {
      const folder = tempFolder();
      path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === 'string') writeFileSync(path, content);
      else content(folder);
    });

    test('is found, and reads as what happened', () => {
      expect(adapter.matches(file)).toBe(true);
      expect(eventsOf(parseAll().map(({ parsed }) => parsed))).toMatchObject(expected);
    });

    test('gives every event a time, a session and the place it stands at', () => {
      for (const { at, session, span } of eventsOf(parseAll().map(({ parsed }) => parsed))) {
        expect(at).toBeGreaterThan(Date.UTC(2020, 0));
        expect(session).not.toBe('');
        expect(span.end).toBeGreaterThan(span.start);
      }
    });

    // Prose has no kinds of records, and any text is some of it.
    if (unknown !== null)
      test('counts a kind of record it has never met', () => {
        const { events, unknown: counted } = open().parse(unknown ?? '', { start: 0, end: 1 });
        expect({ events, counted }).toEqual({
          events: [],
          counted: expect.stringContaining('invented-tomorrow') as string,
        });
      });

    test('keeps what it knows when fields are added', () => {
      const grown = parseAll((text) =>
        text.startsWith('{')
          ? JSON.stringify({ ...(JSON.parse(text) as object), addedTomorrow: { deep: [1] } })
          : text,
      );
      expect(eventsOf(grown.map(({ parsed }) => parsed))).toMatchObject(expected);
    });

    if (unknown !== null)
      test('throws for what is no record, so that it is counted and not lost in silence', () => {
        for (const text of ['', '{', 'null', '[]', '"text"', '42'])
          expect(() => open().parse(text, { start: 0, end: 1 })).toThrow();
      });

    test('knows after a restart what the records before it said', () => {
      const all = parseAll();
      for (let split = 1; split < all.length; split++) {
        const parser = open();
        const { records } = recordsOf(parser, path);
        for (const { text, span } of records.slice(0, split)) parser.parse(text, span);
        const rest = records.slice(split).map(({ text, span }) => parser.parse(text, span));
        expect(eventsOf(rest)).toEqual(eventsOf(all.slice(split).map(({ parsed }) => parsed)));
      }
    });

    test('gives nothing twice that was taken before', () => {
      const parser = open();
      if (!parser.unpack) return;
      const first = recordsOf(parser, path);
      for (const { text, span } of first.records) parser.parse(text, span);
      expect(recordsOf(parser, path, first.bookmark).records).toEqual([]);
      expect(recordsOf(open(), path, first.bookmark).records).toEqual([]);
    });
  });
}
