import { expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { UndoState } from './undo.svelte.ts';

function world(history: { id: number; at: number; undone: boolean }[] = []) {
  const undone: unknown[] = [];
  const call = async (method: string, input: unknown) => {
    if (method === 'learnings.history') return history;
    undone.push(input);
    return {
      change: { kind: 'update', learningId: 'x', before: { title: 'Use tabs' }, after: null },
      learning: null,
    };
  };
  return { undo: new UndoState(call as unknown as Call), undone };
}

test('takes back what was just offered', async () => {
  const { undo, undone } = world();
  undo.tellChange('Archived.', 7);
  await undo.undo();
  expect(undone).toEqual([{ changeId: 7 }]);
});

test('waits for what is being done, and takes that back, not what was offered before', async () => {
  const { undo, undone } = world();
  undo.tellChange('Kept.', 7);
  const answer = Promise.withResolvers<number>();
  const archiving = undo.attempt(async () => undo.tellChange('Archived.', await answer.promise));
  const undoing = undo.undo();
  answer.resolve(8);
  await Promise.all([archiving, undoing]);
  expect(undone).toEqual([{ changeId: 8 }]);
});

test('what fails is told, and stands in nobody’s way', async () => {
  const { undo, undone } = world();
  await undo.attempt(async () => {
    throw new Error('The disk is full.');
  });
  expect(undo.offer?.says).toBe('The disk is full.');
  await undo.undo();
  expect(undone).toEqual([{}]);
});

test('without an offer takes back the newest change and names it', async () => {
  const { undo, undone } = world();
  await undo.undo();
  expect(undone).toEqual([{}]);
  expect(undo.offer?.says).toContain('Use tabs');
});

test('offers the change a method made, but never an older one', async () => {
  const { undo } = world([{ id: 4, at: 100, undone: false }]);
  await undo.tellChangeOf('x', 200, 'Merged.');
  expect(undo.offer).toEqual({ says: 'Merged.', undo: undefined });
  await undo.tellChangeOf('x', 100, 'Merged.');
  expect(undo.offer?.undo).toBeDefined();
});

test('a refusal is told in the same place', async () => {
  const undo = new UndoState(async () => {
    throw new Error('Nothing to undo.');
  });
  await undo.undo();
  expect(undo.offer?.says).toBe('Nothing to undo.');
});
