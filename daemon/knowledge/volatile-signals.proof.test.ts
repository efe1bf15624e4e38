import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../store/learnings/history.ts';
import { proveLearning } from '../store/learnings/write.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { countRecalls, NEW_SIGNALS, setSignals } from '../store/learnings/signals.ts';
import { worldFilledBy } from '../testing/world.ts';
import { given } from '../testing/temp-home.ts';
import { rescan } from './testing.ts';
import { world } from './testing.ts';

const WRITTEN = 'title: Run';
const WITH_SIGNALS =
  'recall_count: 99\nlast_recalled_at: 2026-01-01\nimportance: 7\nq_value: 1\ntitle: Always run';

describe('S9 volatile signals', () => {
  test('S9: recalling, judging and proving a note changes its signals and not a byte of its file', async () => {
    const { store, id, read } = world();
    const before = read();
    countRecalls(store.db, [id, id], 42);
    setSignals(store.db, id, { helpfulCount: 3, maturity: 'core' });
    proveLearning(store, id, { actor: 'test', kind: 'prove', reason: 'met again' });
    expect(getLearning(store.db, id).signals).toMatchObject({
      recallCount: 2,
      lastRecalledAt: 42,
      helpfulCount: 3,
      maturity: 'core',
      proofCount: 2,
    });
    expect(read()).toBe(before);
    expect(await rescan(store)).toBe(0);
  });

  test('S9: a real recall counts only in the database', async () => {
    const { store, recall, learnings } = await worldFilledBy((store) => [
      given(store, { title: 'Run the tests with vitest', scope: 'global' }).learning,
    ]);
    const id = learnings[0]?.id ?? '';
    await recall({ query: 'vitest tests' });
    expect(getLearning(store.db, id)).toMatchObject({
      updatedAt: learnings[0]?.updatedAt,
      signals: { recallCount: 1 },
    });
    expect(historyOf(store.db, id)).toHaveLength(1);
  });

  test('S9: signals that somebody wrote into a file are removed; the rest of the edit counts', async () => {
    const { store, id, edit, read } = world();
    edit(WRITTEN, WITH_SIGNALS);
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({
      title: 'Always run the tests with vitest',
      documentProblem: null,
      signals: { ...NEW_SIGNALS },
    });
    expect(read()).not.toMatch(/recall_count|last_recalled_at|importance|q_value/);
    expect(await rescan(store)).toBe(0);
  });

  test('S9: signals alone, written into a file, are not an edit and are removed', async () => {
    const { store, id, edit, read } = world();
    const before = read();
    edit(WRITTEN, 'uses: 5\ntitle: Run');
    await rescan(store);
    expect([read(), historyOf(store.db, id).length]).toEqual([before, 1]);
  });

  test('S9: switched off, such a file is refused with the name of the field and stays as it is (counterfactual)', async () => {
    const { store, id, edit, read, file } = world();
    edit(WRITTEN, WITH_SIGNALS);
    await rescan({ ...store, stripSignals: () => false });
    expect(getLearning(store.db, id)).toMatchObject({
      title: 'Run the tests with vitest',
      documentProblem: expect.stringContaining('recall_count') as string,
    });
    expect(existsSync(file) && read()).toContain('recall_count: 99');
  });

  test('S9: a learning without a row of signals has those of a new one, and gets its row when they change', () => {
    const { store, id } = world();
    store.db.prepare('DELETE FROM learning_signal').run();
    expect(getLearning(store.db, id).signals).toEqual(NEW_SIGNALS);
    expect(listLearnings(store.db, { offset: 0, limit: 5 }).items).toMatchObject([
      { id, proofCount: 1, recallCount: 0 },
    ]);
    countRecalls(store.db, [id], 42);
    expect(getLearning(store.db, id).signals).toEqual({ ...NEW_SIGNALS, recallCount: 1, lastRecalledAt: 42 });
  });
});
