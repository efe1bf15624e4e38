import { describe, expect, test } from 'vitest';
import type { TranscriptAdapter, TranscriptEvent } from '../transcripts/adapter.ts';

export type ExpectedEvent = Pick<TranscriptEvent, 'kind'> & Record<string, unknown>;

/** What every adapter promises. A new agent brings a recorded session and passes this unchanged. */
export function testAdapter(adapter: TranscriptAdapter, sample: string, expected: ExpectedEvent[]): void {
  const parse = (text: string) => {
    let start = 0;
    return text.trimEnd().split('\n').flatMap((line) => {
      const span = { start, end: start + Buffer.byteLength(line) };
      start = span.end + 1;
      return adapter.parseLine(line, span);
    });
  };

  describe(`transcripts: ${adapter.agent}`, () => {
    test('reads a recorded session', () => {
      expect(parse(sample).flatMap(({ events }) => events)).toMatchObject(expected);
    });
    test('gives every event a time, a session and the bytes it stands at', () => {
      for (const { at, session, span } of parse(sample).flatMap(({ events }) => events)) {
        expect(at).toBeGreaterThan(0);
        expect(session).not.toBe('');
        expect(Buffer.from(sample).subarray(span.start, span.end).toString()).toMatch(/^\{.*\}$/);
      }
    });
    test('counts a kind of record it has never met', () => {
      expect(adapter.parseLine('{"type":"invented-tomorrow"}', { start: 0, end: 1 })).toEqual({ events: [], unknown: 'invented-tomorrow' });
    });
    test('keeps what it knows when fields are added', () => {
      const grown = sample.split('\n').map((line) => (line ? JSON.stringify({ ...(JSON.parse(line) as object), addedTomorrow: { deep: [1] } }) : '')).join('\n');
      expect(parse(grown).flatMap(({ events }) => events)).toMatchObject(expected);
    });
    test('throws for a line that is no record, so that it is counted and not lost in silence', () => {
      for (const line of ['', '{', 'null', '[]', '"text"', '{"type":"user"}']) expect(() => adapter.parseLine(line, { start: 0, end: 1 })).toThrow();
    });
  });
}
