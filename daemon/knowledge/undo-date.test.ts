import { expect, test } from 'vitest';
import { getLearning } from '../store/learnings/learnings.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { undo } from './revise.ts';

const HOUR = 3_600_000;

/** A learning of one o'clock, which can be changed at a later hour. */
function world() {
  const store = tempStore();
  const at = (hour: number) => ({ ...store, now: () => hour * HOUR });
  const { id } = given(at(1), { title: 'Run the tests', rule: 'Before pushing.' }).learning;
  const change = (hour: number, fields: { title?: string; rule?: string; status?: 'archived' }) =>
    changeLearning(at(hour), id, fields, { actor: 'person', kind: 'update', reason: '' }).changeId;
  const undoAt = (hour: number, changeId: number) => undo(at(hour), changeId, 'person').undoneBy ?? 0;
  return { change, undoAt, hour: () => getLearning(store.db, id).updatedAt / HOUR };
}

test('an undone change gives the learning its date again, and so does each undo and redo after it', () => {
  const { change, undoAt, hour } = world();
  const edited = change(2, { title: 'Run all tests' });
  const archived = change(3, { status: 'archived' });
  undoAt(4, archived);
  expect(hour()).toBe(2);
  const undone = undoAt(5, edited);
  expect(hour()).toBe(1);
  undoAt(6, undone);
  expect(hour()).toBe(2);
});

test('a learning that was edited since is new after an undo: it was never like this before', () => {
  const { change, undoAt, hour } = world();
  const edited = change(2, { title: 'Run all tests' });
  change(3, { rule: 'Before each commit.' });
  undoAt(4, edited);
  expect(hour()).toBe(4);
});
