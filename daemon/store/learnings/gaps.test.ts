import { expect, test } from 'vitest';
import { tempStore } from '../../testing/temp-home.ts';
import { addToCounter, countersWith, getMeta, setMeta } from '../meta.ts';
import { addGap, closeGap, listGaps } from './questions.ts';

test('unanswered questions are grouped by words and project, those of most sessions first', () => {
  const { db } = tempStore();
  const ask = (query: string, project: string, session: string, at: number) =>
    addGap(db, { at, query, normalized: query.toLowerCase(), project, session });
  ask('deploy', 'p', 'one', 1);
  ask('Deploy', 'p', 'one', 2);
  ask('deploy', 'p', 'one', 3);
  ask('rollback', 'p', 'one', 4);
  ask('rollback', 'p', 'two', 5);
  ask('deploy', 'q', 'one', 6);
  expect(
    listGaps(db).map(({ query, project, times, sessions, lastAt }) => [
      query.toLowerCase(),
      project,
      times,
      sessions,
      lastAt,
    ]),
  ).toEqual([
    ['rollback', 'p', 2, 2, 5],
    ['deploy', 'p', 3, 1, 3],
    ['deploy', 'q', 1, 1, 6],
  ]);
});

test('a closed question is hidden until it is asked again or reopened', () => {
  const { db } = tempStore();
  const ask = (query: string, project: string, at: number) =>
    addGap(db, { at, query, normalized: query.toLowerCase(), project, session: 'one' });
  ask('Deploy', 'p', 1);
  ask('deploy', 'p', 2);
  ask('deploy', 'q', 3);
  const shown = () =>
    listGaps(db)
      .map(({ project }) => project)
      .toSorted();
  closeGap(db, { query: 'Deploy', project: 'p' }, true);
  expect(shown()).toEqual(['q']);
  closeGap(db, { query: 'Deploy', project: 'p' }, false);
  expect(shown()).toEqual(['p', 'q']);
  closeGap(db, { query: 'deploy', project: 'p' }, true);
  ask('deploy', 'p', 4);
  expect(shown()).toEqual(['p', 'q']);
  expect(() => closeGap(db, { query: 'never asked', project: 'p' }, true)).toThrow(/never asked/);
});

test('counters add up and are read by a literal prefix', () => {
  const { db } = tempStore();
  addToCounter(db, 'redacted:jwt', 2);
  addToCounter(db, 'redacted:jwt', 3);
  addToCounter(db, 'redacted:aws key', 1);
  addToCounter(db, 'other', 9);
  expect(countersWith(db, 'redacted:')).toEqual({ jwt: 5, 'aws key': 1 });
  expect(countersWith(db, '%')).toEqual({});
});

test('a remembered value is replaced by the next', () => {
  const { db } = tempStore();
  expect(getMeta(db, 'x')).toBeUndefined();
  setMeta(db, 'x', '1');
  setMeta(db, 'x', '2');
  expect(getMeta(db, 'x')).toBe('2');
});
