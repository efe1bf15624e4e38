import { expect, test } from 'vitest';
import { readTimes } from './times.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const day = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toLocaleDateString('sv');

test.each([
  ['2026-03-01', '2026-03-01'],
  ['yesterday', '2026-06-14'],
  ['last week', '2026-06-08'],
  ['3 days ago', '2026-06-12'],
  ['the last month', '2026-05-01'],
  ['march', '2026-03-01'],
  ['2025', '2025-01-01'],
])('since %j begins on %s', (written, expected) => {
  expect(day(readTimes({ since: written }, NOW).since)).toBe(expected);
});

test('until counts its day whole, and an instant is an instant', () => {
  const { since = 0, until = 0 } = readTimes({ since: '2026-03-01', until: '2026-03-01' }, NOW);
  expect(until - since).toBe(86_400_000 - 1);
  expect(readTimes({ since: '2026-03-01T10:00:00Z', until: 5e12 }, NOW)).toEqual({
    since: Date.UTC(2026, 2, 1, 10),
    until: 5e12,
  });
  expect(readTimes({}, NOW)).toEqual({ since: undefined, until: undefined });
});

test.each([
  'soon',
  '2026-02-31',
  '31.31.2026',
  'yesterday when it rained',
  '2026-03-01T99:00',
  '-5',
  '💥',
  '1e9',
])('%j is refused with an example of what is not', (written) => {
  expect(() => readTimes({ since: written }, NOW)).toThrow(/since does not understand .* such as 2026-03-01/);
});

test('a span that ends before it begins is refused', () => {
  expect(() => readTimes({ since: 'yesterday', until: 'last year' }, NOW)).toThrow(/later than until/);
});
