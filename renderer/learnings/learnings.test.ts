import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { LearningsState } from './learnings.svelte.ts';
import { placeOf } from './words.ts';
import { filterName } from './saved-filters.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';
import { Drafts } from '../drafts.svelte.ts';
import { learningDrafts } from './draft.ts';
import { manyDrafts, MARKED } from './marks.svelte.ts';
import { rowOf } from '../testing.ts';

const rankIn = (best: string[], id: string) => (best.includes(id) ? best.indexOf(id) : best.length);

/** A daemon with so many learnings, which remembers what it was asked. */
function world(count: number) {
  let rows = Array.from({ length: count }, (_, index) => rowOf(`learning-${index}`));
  const asked: Record<string, unknown>[] = [];
  let fails = false;
  let held: Promise<unknown> | undefined;
  const call = async (method: string, input: Record<string, unknown>) => {
    if (fails) throw new DaemonError('unreachable');
    asked.push({ method, ...input });
    if (method === 'learnings.changeMany') {
      rows = rows.filter(({ id }) => !(input['ids'] as string[]).includes(id));
      return { changed: 2, changeId: 9 };
    }
    if (method === 'recall.search')
      return { hits: ['learning-12', 'learning-11'].map((id) => ({ learning: { id } })) };
    if (method !== 'learnings.list') {
      await held;
      rows = rows.filter(({ id }) => id !== input['id']);
      return { changeId: 7 };
    }
    const found = input['text'] ? rows.filter(({ id }) => id.includes(String(input['text']))) : [...rows];
    const best = (input['best'] as string[] | undefined) ?? [];
    found.sort((a, b) => rankIn(best, a.id) - rankIn(best, b.id));
    const offset = Number(input['offset']);
    return {
      items: found.slice(offset, offset + Number(input['limit'])),
      total: found.length,
      facets: { status: [{ value: 'active', count: found.length }] },
    };
  };
  const queries = new Queries(call as unknown as Call);
  const drafts = new Drafts([learningDrafts, manyDrafts]);
  const prepend = (id: string) => (rows = [rowOf(id), ...rows]);
  return {
    state: new LearningsState(queries, drafts),
    queries,
    drafts,
    asked,
    prepend,
    fail: (now: boolean) => (fails = now),
    hold: (until: Promise<unknown>) => void (held = until),
  };
}

beforeEach(() => void vi.useRealTimers());
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('the list of learnings', () => {
  test('the keys lead to rows that are not loaded yet, and on from rows whose page was let go', async () => {
    const { state } = world(950);
    await state.refresh();
    state.move(state.rows.length);
    expect(state.selectedId).toBe('learning-0');
    await expect.poll(() => state.selectedId).toBe('learning-949');
    state.showRange(0, 20);
    await state.refresh();
    expect(state.selectedIndex).toBe(-1);
    state.move(-1);
    await expect.poll(() => state.selectedId).toBe('learning-948');
  });

  test('holds the place of every row and loads only the pages in view', async () => {
    const { state, asked } = world(1_000);
    await state.refresh();
    expect(state.rows).toHaveLength(1_000);
    expect(state.rows[500]).toBeUndefined();

    state.showRange(495, 520);
    state.showRange(496, 521);
    await settled();
    expect(state.rows[500]?.id).toBe('learning-500');
    expect(asked.map(({ offset }) => offset)).toEqual([0, 400, 500]);
  });

  test('asks for live learnings first, and sends no empty filter', async () => {
    const { state, asked } = world(1);
    await state.refresh();
    expect(asked).toEqual([
      { method: 'learnings.list', status: 'active', facets: true, offset: 0, limit: 100 },
    ]);
    expect(state.isFiltered).toBe(false);
    await state.narrow('tag', 'nginx');
    expect(asked.at(-1)).toMatchObject({ tag: 'nginx' });
    expect(state.isFiltered).toBe(true);
  });

  test('a filter is saved under what it asks for, comes back in the next window, and is removed again', async () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
    });
    const { state } = world(3);
    await state.narrow('project', 'git:github.com/acme/shop');
    await state.narrow('status', 'archived');
    state.search(' retry ');
    state.saved.toggle(state.filter);
    expect(state.saved.all.map(filterName)).toEqual(['“retry” · shop · archived']);
    await state.clearFilter();
    expect([state.isFiltered, state.saved.indexOf(state.filter)]).toEqual([false, -1]);

    const { state: next, asked } = world(3);
    const [saved = next.filter] = next.saved.all;
    await next.apply(saved);
    expect(asked.at(-1)).toMatchObject({ project: 'git:github.com/acme/shop', status: 'archived' });
    next.saved.toggle(next.filter);
    expect(world(3).state.saved.all).toEqual([]);
    vi.unstubAllGlobals();
  });

  test('projects of like names are told apart, and what holds in none or in every project says so', () => {
    const { state } = world(0);
    state.facets = {
      project: ['git:github.com/acme/cli', 'git:github.com/umbrella/cli'].map((value) => ({
        value,
        count: 1,
      })),
    };
    const place = (change: object) => placeOf(rowOf('any', change), state.nameOf);
    expect(place({ project: 'git:github.com/acme/cli' })).toBe('acme/cli');
    expect([place({ project: '' }), place({ scope: 'global' })]).toEqual(['No project', 'every project']);
  });

  test('a search follows every letter, then puts what answers it best first', async () => {
    vi.useFakeTimers();
    const { state, asked } = world(30);
    await state.refresh();
    state.search('ing-1');
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.at(-1)).toMatchObject({ method: 'learnings.list', text: 'ing-1', facets: false });
    expect(state.selectedId).toBe('learning-1');
    await vi.advanceTimersByTimeAsync(250);
    expect(asked.slice(-2)).toMatchObject([
      { method: 'recall.search', query: 'ing-1', quiet: true },
      { method: 'learnings.list', best: ['learning-12', 'learning-11'], facets: true },
    ]);
    expect(state.rows.slice(0, 3).map((found) => found?.id)).toEqual([
      'learning-12',
      'learning-11',
      'learning-1',
    ]);
    expect(state.selectedId).toBe('learning-12');
  });

  test('rows do not change places under somebody who moves among them', async () => {
    vi.useFakeTimers();
    const { state } = world(30);
    await state.refresh();
    state.search('ing-1');
    await vi.advanceTimersByTimeAsync(0);
    state.move(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(state.rows[0]?.id).toBe('learning-1');
    expect(state.selectedId).toBe('learning-10');
  });

  test('selects the first row, moves within bounds, and a search selects its best match, if it has one', async () => {
    const { state } = world(30);
    await state.refresh();
    expect(state.selectedId).toBe('learning-0');
    state.move(-1);
    expect(state.selectedId).toBe('learning-0');
    state.move(100);
    expect(state.selectedId).toBe('learning-29');
    state.filter = { ...state.filter, text: 'learning-7' };
    await state.loadAnew();
    expect(state.selectedId).toBe('learning-7');
    state.filter = { ...state.filter, text: 'nothing like it' };
    await state.loadAnew();
    expect(state.selectedId).toBeNull();
  });

  test('a live change refreshes in place and leaves the selection', async () => {
    const { state, queries, prepend } = world(300);
    await state.refresh();
    state.selectedId = 'learning-5';
    prepend('fresh');
    queries.onEvent({ type: 'learning.changed', id: 'fresh', kind: 'create' });
    await expect.poll(() => state.rows[0]?.id).toBe('fresh');
    expect(state.selectedId).toBe('learning-5');
    expect(state.selectedIndex).toBe(6);
  });

  test('archiving removes the row at once, selects the next and gives the change to undo', async () => {
    const { state } = world(3);
    await state.refresh();
    const archiving = state.archive('learning-0');
    expect(state.rows.map((shown) => shown?.id)).toEqual(['learning-1', 'learning-2']);
    expect(state.selectedId).toBe('learning-1');
    await expect(archiving).resolves.toBe(7);
  });

  test('a range is marked from the last mark, and all that is marked is changed as one', async () => {
    const { state, asked } = world(5);
    await state.refresh();
    state.marks.toggle('learning-1');
    state.marks.extendTo('learning-3');
    state.marks.toggle('learning-2');
    expect([...state.marks.ids]).toEqual(['learning-1', 'learning-3']);
    await expect(state.changeMarked({ status: 'archived' })).resolves.toEqual({ changed: 2, changeId: 9 });
    expect(asked.find(({ method }) => method === 'learnings.changeMany')).toMatchObject({
      ids: ['learning-1', 'learning-3'],
      status: 'archived',
    });
    expect(state.marks.ids.size).toBe(0);
    expect(state.rows).toHaveLength(3);
  });

  test('a half-typed change of marked rows is there again with its marks, and kept if it fails', async () => {
    const { queries, drafts, fail } = world(30);
    drafts.set(manyDrafts, MARKED, { asked: 'tag', typed: 'flak', ids: ['learning-1', 'learning-3'] });
    const state = new LearningsState(queries, drafts);
    await state.refresh();
    expect([...state.marks.ids]).toEqual(['learning-1', 'learning-3']);
    fail(true);
    await expect(state.changeMarked({ addTags: ['flaky'] })).rejects.toThrow();
    expect([drafts.of(manyDrafts, MARKED)?.typed, state.marks.ids.size]).toEqual(['flak', 2]);
    fail(false);
    await state.changeMarked({ addTags: ['flaky'] });
    expect([drafts.of(manyDrafts, MARKED), state.marks.ids.size]).toEqual([undefined, 0]);
  });

  test('another filter takes the marks away: nothing unseen is changed', async () => {
    const { state } = world(5);
    await state.refresh();
    state.marks.toggle('learning-1');
    await state.narrow('tag', 'nginx');
    expect(state.marks.ids.size).toBe(0);
  });

  test('a refused archive puts the row back', async () => {
    const { state, fail } = world(3);
    await state.refresh();
    fail(true);
    await expect(state.archive('learning-1')).rejects.toMatchObject({ code: 'unreachable' });
    expect(state.rows).toHaveLength(3);
  });

  test('an event that comes while a change is refused is not overwritten by the way back', async () => {
    const { state, queries, prepend, hold } = world(3);
    await state.refresh();
    prepend('fresh');
    const refused = Promise.withResolvers<never>();
    hold(refused.promise);
    const archiving = state.archive('learning-1');
    queries.onEvent({ type: 'learning.changed', id: 'fresh', kind: 'create' });
    await expect.poll(() => state.rows[0]?.id).toBe('fresh');
    expect(state.rows.map((shown) => shown?.id)).toEqual(['fresh', 'learning-0', 'learning-2']);
    refused.reject(new DaemonError('unreachable'));
    await expect(archiving).rejects.toMatchObject({ code: 'unreachable' });
    expect(state.rows.map((shown) => shown?.id)).toEqual(['fresh', 'learning-0', 'learning-1', 'learning-2']);
  });

  test('a search does not take away the learning that is being edited', async () => {
    const { state, drafts } = world(30);
    await state.refresh();
    state.select('learning-3');
    drafts.set(learningDrafts, 'learning-3', {} as never);
    await state.narrow('tag', 'nginx');
    state.filter = { ...state.filter, text: 'learning-7' };
    await state.loadAnew();
    expect(state.selectedId).toBe('learning-3');
  });

  test('a failed question keeps the rows and tells', async () => {
    const { state, fail } = world(3);
    await state.refresh();
    fail(true);
    await state.refresh();
    expect(state.rows).toHaveLength(3);
    expect(state.error?.message).toMatch(/does not respond/);
  });
});
