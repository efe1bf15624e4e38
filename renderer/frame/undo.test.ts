import { expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { doReversibly, UndoState } from './undo.svelte.ts';

/** A daemon whose every undo is itself a change, with the next free number. */
function world(history: { id: number; at: number; undone: boolean }[] = []) {
  const undone: unknown[] = [];
  let next = 100;
  const call = async (method: string, input: unknown) => {
    if (method === 'learnings.history') return history;
    undone.push(input);
    return { undoneBy: next++ };
  };
  return { undo: new UndoState(call as unknown as Call), undone };
}

test('undoes what was done here, the last first, and says what', async () => {
  const { undo, undone } = world();
  undo.announceChange('Archived.', 7);
  undo.announceChange('Tagged.', 8);
  await undo.undo();
  expect(undo.offer?.says).toBe('Undone: Tagged.');
  await undo.undo();
  expect(undone).toEqual([{ changeId: 8 }, { changeId: 7 }]);
});

test('with nothing done here nothing is undone, whatever the daemon or an agent changed', async () => {
  const { undo, undone } = world();
  await undo.undo();
  expect(undone).toEqual([]);
  expect(undo.offer?.says).toBe('Nothing to undo');
});

test('redo undoes the undo, and can be undone again', async () => {
  const { undo, undone } = world();
  undo.announceChange('Archived.', 7);
  await undo.undo();
  await undo.redo();
  expect(undo.offer?.says).toBe('Redone: Archived.');
  await undo.undo();
  expect(undone).toEqual([{ changeId: 7 }, { changeId: 100 }, { changeId: 101 }]);
});

test('an undo pressed while a redo is under way undoes what was redone', async () => {
  const { undo, undone } = world();
  undo.announceChange('Archived.', 7);
  undo.announceChange('Tagged.', 8);
  await undo.undo();
  await Promise.all([undo.redo(), undo.undo()]);
  expect(undone).toEqual([{ changeId: 8 }, { changeId: 100 }, { changeId: 101 }]);
});

test('something new ends what could be redone', async () => {
  const { undo } = world();
  undo.announceChange('Archived.', 7);
  await undo.undo();
  undo.announceChange('Tagged.', 8);
  await undo.redo();
  expect(undo.offer?.says).toBe('Nothing to redo');
});

test('what can only be undone is not redone', async () => {
  const { undo } = world();
  const restored: string[] = [];
  undo.announce('Discarded.', async () => void restored.push('draft'));
  await undo.undo();
  await undo.redo();
  expect(restored).toEqual(['draft']);
});

test('waits for what is being done, and takes that back, not what was offered before', async () => {
  const { undo, undone } = world();
  undo.announceChange('Kept.', 7);
  const answer = Promise.withResolvers<number>();
  const archiving = undo.attempt(async () => undo.announceChange('Archived.', await answer.promise));
  const undoing = undo.undo();
  answer.resolve(8);
  await Promise.all([archiving, undoing]);
  expect(undone).toEqual([{ changeId: 8 }]);
});

test('a failure is shown, and nothing is undone', async () => {
  const { undo, undone } = world();
  await undo.attempt(async () => {
    throw new Error('The disk is full.');
  });
  expect(undo.offer?.says).toBe('The disk is full.');
  await undo.undo();
  expect(undone).toEqual([]);
});

test('what has an opposite is undone, redone and undone again', async () => {
  const { undo } = world();
  const done: string[] = [];
  const say = (what: string) => async () => done.push(what);
  undo.announce('Moved.', await doReversibly(say('down'), say('up')));
  await undo.undo();
  await undo.redo();
  await undo.undo();
  expect(done).toEqual(['down', 'up', 'down', 'up']);
});

test('offers the change a method made, but never an older one', async () => {
  const { undo } = world([{ id: 4, at: 100, undone: false }]);
  await undo.announceChangeOf('x', 200, 'Merged.');
  expect(undo.offer).toEqual({ says: 'Merged.', canUndo: false });
  await undo.announceChangeOf('x', 100, 'Merged.');
  expect(undo.offer?.canUndo).toBe(true);
});

test('a change of a history is undone at once, and that can be undone too', async () => {
  const { undo, undone } = world();
  await undo.undoChange('Edited', 3);
  expect(undo.offer).toEqual({ says: 'Undone: Edited', canUndo: true });
  await undo.undo();
  expect(undone).toEqual([{ changeId: 3 }, { changeId: 100 }]);
});

test('a refusal is shown in the same place', async () => {
  const undo = new UndoState(async () => {
    throw new Error('It was changed since.');
  });
  undo.announceChange('Archived.', 1);
  await undo.undo();
  expect(undo.offer?.says).toBe('It was changed since.');
});
