import { expect, test } from 'vitest';
import { figuresOf, reliability, rougeL, type ScoredNote } from './note-score.ts';

const note = (given: Partial<ScoredNote>): ScoredNote => ({
  session: 's',
  agent: 'claude-code',
  repo: 'acme/shop',
  line: 1,
  signal: 'signal.correction',
  title: 'Use pnpm',
  learning: true,
  confidence: 0.5,
  labels: [],
  unread: false,
  standsAlone: null,
  likeness: null,
  rougeL: null,
  ...given,
});
const labels = [
  { id: 'a', session: 's', importance: 3, speaker: 'human' },
  { id: 'b', session: 's', importance: 1, speaker: 'human' },
];

test('precision counts learnings alone, hearing counts candidates too', () => {
  const notes = [
    note({ labels: ['b'] }),
    note({}),
    note({ labels: ['a'], learning: false }),
    note({ unread: true }),
  ];
  expect(figuresOf(notes, labels, ['s'])).toMatchObject({
    notes: 3,
    learnings: 2,
    precision: 0.5,
    heard: { all: 1, important: 1, asLearning: 0.5, importantAsLearning: 0 },
    perSession: { median: 2, most: 2 },
  });
});

test('only titles that someone read say how many stand alone', () => {
  const notes = [note({ standsAlone: true }), note({ standsAlone: false }), note({})];
  expect(figuresOf(notes, labels, ['s'])).toMatchObject({ standAlone: 0.5, read: 2 });
});

test('a note is as good as it was said to be when that share of its kind is good', () => {
  const notes = [
    note({ confidence: 0.85, labels: ['a'], standsAlone: true }),
    note({ confidence: 0.95, standsAlone: true }),
    note({ confidence: 0.1, standsAlone: false }),
  ];
  const bins = reliability(notes, 0.5);
  expect(bins.map((bin) => [bin.notes, bin.good])).toEqual([
    [1, 0],
    [2, 0.5],
  ]);
});

test('ROUGE-L is 1 for the same words and 0 for none in common', () => {
  expect(rougeL('use pnpm, not npm', 'Use pnpm not npm')).toBe(1);
  expect(rougeL('use pnpm', 'never commit secrets')).toBe(0);
  expect(rougeL('use pnpm here', 'use yarn here')).toBeCloseTo(2 / 3);
});
