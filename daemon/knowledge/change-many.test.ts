import { expect, test } from 'vitest';
import { getLearning } from '../store/learnings/learnings.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { changeMany } from './change-many.ts';
import { undo } from './revise.ts';

function world() {
  const store = tempStore();
  const ids = ['Run the tests', 'Format the code', 'Sign the release'].map(
    (title) => given(store, { title, tags: ['old'], project: 'acme/shop' }).learning.id,
  );
  const all = () => ids.map((id) => getLearning(store.db, id));
  return { store, ids, all };
}

test('many learnings are archived as one event, and one undo brings all of them back', () => {
  const { store, ids, all } = world();
  const { changed, changeId } = changeMany(store, ids, { status: 'archived', reason: '' }, 'person');
  expect(changed).toBe(3);
  expect(all().map(({ status }) => status)).toEqual(['archived', 'archived', 'archived']);
  undo(store, changeId ?? 0, 'person');
  expect(all().map(({ status }) => status)).toEqual(['active', 'active', 'active']);
});

test('tags are added and removed, a project moves, and learnings that already match do not change', () => {
  const { store, ids, all } = world();
  changeMany(
    store,
    ids,
    { addTags: ['ci', 'old'], removeTags: [], project: 'acme/billing', reason: 'sorted' },
    'person',
  );
  expect(all().map(({ tags, project }) => [tags.join(), project])).toEqual(
    Array.from({ length: 3 }, () => ['old,ci', 'acme/billing']),
  );
  expect(changeMany(store, ids, { addTags: ['ci'], reason: '' }, 'person')).toEqual({
    changed: 0,
    changeId: null,
  });
  changeMany(store, ids.slice(0, 1), { removeTags: ['old'], reason: '' }, 'person');
  expect(all().map(({ tags }) => tags.join())).toEqual(['ci', 'old,ci', 'old,ci']);
});

test('with one unknown id nothing is changed', () => {
  const { store, ids, all } = world();
  expect(() =>
    changeMany(store, [...ids, 'no-such-learning'], { status: 'archived', reason: '' }, 'person'),
  ).toThrow(/no-such-learning/);
  expect(all().map(({ status }) => status)).toEqual(['active', 'active', 'active']);
});
