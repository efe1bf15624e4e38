import { describe, expect, test } from 'vitest';
import { EDITED, given, tempStore } from '../../testing/temp-home.ts';
import { historyOf } from './history.ts';
import { getLearning } from './learnings.ts';
import { changeLearning, proveLearning } from './write.ts';

const NOTE = { title: 'Run the tests with vitest', rule: 'Never jest.' };

describe('S6 history snapshot on update', () => {
  test('S6: a change of status keeps the complete version before', () => {
    const store = tempStore();
    const { learning } = given(store, NOTE);
    changeLearning(
      store,
      learning.id,
      { status: 'archived' },
      { actor: 'ada', kind: 'archive', reason: 'outdated' },
    );
    const [newest] = historyOf(store.db, learning.id);
    expect(newest).toMatchObject({
      actor: 'ada',
      reason: 'outdated',
      fields: ['status'],
      before: { ...NOTE, status: 'active' },
      after: { status: 'archived' },
      proofCount: 1,
    });
  });

  test('S6: a creation has no version before', () => {
    const store = tempStore();
    const { learning } = given(store, NOTE);
    expect(historyOf(store.db, learning.id)).toMatchObject([
      { kind: 'create', before: null, proofCount: null },
    ]);
  });

  test('S6: a proof records the number of proofs before, and does not change the note', () => {
    const store = tempStore();
    const { learning } = given(store, NOTE);
    for (const source of ['monday', 'tuesday'])
      proveLearning(store, learning.id, { actor: 'heuristic', kind: 'prove', reason: 'met again', source });
    expect(historyOf(store.db, learning.id)).toMatchObject([
      { kind: 'prove', source: 'tuesday', proofCount: 2, proofsAdded: 1, fields: [], before: NOTE },
      { kind: 'prove', source: 'monday', proofCount: 1 },
      { kind: 'create' },
    ]);
  });

  test('S6: a failed change leaves neither the new version nor a snapshot', () => {
    const store = tempStore();
    const { learning } = given(store, NOTE);
    expect(() =>
      changeLearning(store, learning.id, { rule: 'Never mocha.', forgetAfter: 9e15 }, EDITED),
    ).toThrow(/later than any date/);
    expect(historyOf(store.db, learning.id)).toHaveLength(1);
    expect(getLearning(store.db, learning.id).rule).toBe(NOTE.rule);
  });
});
