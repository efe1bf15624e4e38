import { expect, test } from 'vitest';
import type { Candidate } from '#contract/candidates.ts';
import type { Call } from '#contract/methods.ts';
import { Queries } from '../query/queries.svelte.ts';
import { rowOf } from '../testing.ts';
import { foldersOf, WelcomeState } from './welcome.svelte.ts';

const candidate = (id: string): Candidate => ({
  ...rowOf(id),
  session: 's',
  momentId: null,
  quote: '',
  noticed: [],
  waits: [],
});

function world(...found: string[]) {
  const call = async (method: string, { ids }: { ids?: string[] }) => {
    if (method === 'candidates.list')
      return { items: found.map(candidate), total: found.length, cursor: null };
    found = found.filter((id) => !ids?.includes(id));
    return { changeId: 1 };
  };
  const screen = new WelcomeState(new Queries(call as unknown as Call));
  const find = async (...better: string[]) => {
    found = [...better, ...found];
    await screen.lessons.refetch();
  };
  return { screen, find, shown: () => screen.rows.map(({ id }) => id).join(' ') };
}

test('lessons on screen keep their places while better ones are found', async () => {
  const { screen, find, shown } = world('a', 'b', 'c');
  await screen.load();
  await find('d', 'e');
  expect(shown()).toBe('a b c d e');
  expect(screen.hasBetter).toBe(false);
  await find('f');
  expect(shown()).toBe('a b c d e');
  expect(screen.hasBetter).toBe(true);
  screen.showBest();
  expect(shown()).toBe('f d e a b');
});

test('a lesson that is decided makes room for the best that is not on screen', async () => {
  const { screen, shown } = world('a', 'b', 'c', 'd', 'e', 'f', 'g');
  await screen.load();
  await screen.decide('b', true);
  expect(shown()).toBe('a c d e');
  await screen.lessons.refetch();
  expect(shown()).toBe('a c d e f');
});

test('a folder with sessions of several agents is listed once', () => {
  expect(foldersOf([{ folder: '/a' }, { folder: '/b' }, { folder: '/a' }])).toEqual(['/a', '/b']);
});

test('jumping ahead finishes no step, going on finishes the one that was read', () => {
  const { screen } = world();
  screen.step = 'lessons';
  expect([...screen.done]).toEqual([]);
  screen.turn(-1);
  screen.turn(1);
  expect([...screen.done]).toEqual(['writer']);
});
