import { expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { matches, PaletteState } from './palette.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

test('words match by their beginnings, in any order', () => {
  expect(matches('Pause capture', 'cap pau')).toBe(true);
  expect(matches('Pause capture', 'ture')).toBe(false);
  expect(matches('Pause capture', '')).toBe(true);
});

test('the selection goes round, and starts over with every letter', () => {
  const palette = new PaletteState(new Queries((async () => ({ items: [] })) as unknown as Call));
  palette.move(-1, 3);
  expect(palette.index).toBe(2);
  palette.move(1, 3);
  expect(palette.index).toBe(0);
  palette.move(1, 3);
  palette.type('x');
  expect(palette.index).toBe(0);
});

test('Enter can wait for the learnings that match the last letters', async () => {
  const answers: ((items: object[]) => void)[] = [];
  const call = () => new Promise((resolve) => answers.push((items) => resolve({ items })));
  const palette = new PaletteState(new Queries(call as unknown as Call));
  palette.type('g');
  palette.type('grpc');
  const answered = palette.answered();
  answers[1]?.([{ id: 'grpc' }]);
  await answered;
  expect(palette.found.map(({ id }) => id)).toEqual(['grpc']);
});
