import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, test } from 'vitest';
import type { NoteInput } from '#contract/entities.ts';
import { branchReason } from '../drain/branch-bound.ts';
import { withKnobs } from '../drain/testing.ts';
import { silentLog } from '../platform/log.ts';
import { DAY } from '../platform/time.ts';
import { historyOf } from '../store/learnings/history.ts';
import { getLearning, rememberProject } from '../store/learnings/learnings.ts';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { shardsIn } from '../store/search/shards.ts';
import { searchByWords } from '../store/search/words.ts';
import { gitRepository } from '../testing/git-repository.ts';
import { given, tempStore, type TempStore } from '../testing/temp-home.ts';
import { Branches } from './branches.ts';
import { undo } from './revise.ts';

const PROJECT = 'github.com/acme/shop';
const BRANCH = 'feat/tax';
const BOUND: NoteInput = {
  title: 'On this branch rates are integers',
  project: PROJECT,
  branch: BRANCH,
  metadata: { branchReason: 'it says “On this branch”', writer: 'heuristic' },
};
/** A note as older versions captured it. */
const CAPTURED: NoteInput = {
  title: 'Never use npm here',
  project: PROJECT,
  branch: BRANCH,
  provenance: { agent: 'claude-code', transcript: 't.jsonl' },
};

function world({ root = '', store = tempStore() }: { root?: string; store?: TempStore } = {}) {
  rememberProject(store.db, { id: PROJECT, name: 'shop', root }, store.now());
  const branches = new Branches({ store, resolve: withKnobs(), log: silentLog, reasonFor: branchReason });
  onTestFinished(() => branches.stop());
  const branchOf = (id: string) => getLearning(store.db, id).branch;
  const found = (words: string, branch: string | null) =>
    searchByWords(
      store.db,
      words,
      shardsIn(store.db, { project: PROJECT, branch, allBranches: false, everywhere: false }),
      5,
    ).length;
  return { store, sweep: () => branches.sweep(), branchOf, found };
}

describe('a learning of a branch', () => {
  test('becomes the project’s when the branch is merged: row, index, file and history say so, and it keeps its date', async () => {
    const { root, git, commit } = gitRepository();
    git('checkout', '--quiet', '-b', BRANCH);
    commit('tax.ts', 'tax\n');
    const { store, sweep, found } = world({ root });
    const { learning } = given(store, BOUND);
    expect([await sweep(), found('integers', null), found('integers', BRANCH)]).toEqual([0, 0, 1]);

    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    store.tick(DAY);
    const oldFile = documentOf(store.db, learning.id)?.path ?? '';
    expect([await sweep(), found('integers', null), found('integers', 'feat/cart')]).toEqual([1, 1, 1]);

    const moved = getLearning(store.db, learning.id);
    expect(moved).toMatchObject({ branch: null, metadata: { writer: 'heuristic' } });
    expect(moved.metadata).not.toHaveProperty('branchReason');
    expect(moved.updatedAt - learning.updatedAt).toBeLessThan(1_000);
    expect(historyOf(store.db, learning.id)[0]).toMatchObject({
      kind: 'move',
      reason: 'branch feat/tax was merged into main',
      at: store.now(),
    });
    const file = documentOf(store.db, learning.id)?.path ?? '';
    expect(file).not.toContain('branches');
    expect([existsSync(join(store.documents, oldFile)), existsSync(join(store.documents, file))]).toEqual([
      false,
      true,
    ]);
  });

  test('goes back to the branch when a person undoes that, and stays there', async () => {
    const { store, sweep, branchOf } = world();
    const { id } = given(store, BOUND).learning;
    store.tick(14 * DAY);
    expect(await sweep()).toBe(1);
    undo(store, undefined, 'person');
    expect(getLearning(store.db, id)).toMatchObject({ branch: BRANCH, metadata: BOUND.metadata });
    store.tick(100 * DAY);
    expect([await sweep(), branchOf(id)]).toEqual([0, BRANCH]);
  });

  test.each([
    ['no known folder', () => ''],
    ['a folder that is gone', () => '/no/such/folder'],
  ])('becomes the project’s after a while, also with %s', async (_, root) => {
    const { store, sweep, branchOf } = world({ root: root() });
    const { id } = given(store, BOUND).learning;
    store.tick(14 * DAY - 1);
    expect([await sweep(), branchOf(id)]).toEqual([0, BRANCH]);
    store.tick(1);
    expect([await sweep(), branchOf(id)]).toEqual([1, null]);
    expect(historyOf(store.db, id)[0]?.reason).toBe('it was on feat/tax for 14 days');
  });

  test('waits as long again when it was edited', async () => {
    const { store, sweep } = world();
    const { id } = given(store, BOUND).learning;
    store.tick(13 * DAY);
    changeLearning(store, id, { rule: 'In cents.' }, { actor: 'person', kind: 'update', reason: '' });
    store.tick(13 * DAY);
    expect(await sweep()).toBe(0);
  });

  test('is examined again where it came to', async () => {
    const { store, sweep } = world();
    const { id } = given(store, BOUND).learning;
    store.db.exec('DELETE FROM unexamined');
    store.tick(14 * DAY);
    await sweep();
    expect(store.db.prepare('SELECT id FROM unexamined JOIN learning USING (seq)').pluck().all()).toEqual([
      id,
    ]);
  });
});

describe('notes that an older version bound to a branch', () => {
  test('become the project’s when they were only captured there', async () => {
    const { store, sweep, branchOf } = world();
    const ids = [
      CAPTURED,
      { ...CAPTURED, title: 'Waits for an answer', status: 'proposed' as const },
      { ...CAPTURED, title: 'Learned from a run', provenance: { agent: 'trace' } },
    ].map((note) => given(store, note).learning.id);
    expect(await sweep()).toBe(3);
    expect(ids.map(branchOf)).toEqual([null, null, null]);
    expect(historyOf(store.db, ids[0] ?? '')[0]).toMatchObject({
      kind: 'move',
      reason: 'it was learned on feat/tax, and does not speak of that branch’s work',
    });
  });

  test('stay and get their reason when they speak of the branch', async () => {
    const { store, sweep } = world();
    const { id } = given(store, { ...CAPTURED, title: 'On this branch rates are integers' }).learning;
    expect(await sweep()).toBe(0);
    expect(getLearning(store.db, id)).toMatchObject({
      branch: BRANCH,
      metadata: { branchReason: 'it says “On this branch”' },
    });
  });

  test('stay when a person or an agent chose the branch, or put the note away', async () => {
    const { store, sweep, branchOf } = world();
    const chosen = given(store, { ...CAPTURED, title: 'Chosen', branch: null }).learning.id;
    changeLearning(store, chosen, { branch: BRANCH }, { actor: 'person', kind: 'update', reason: 'edited' });
    const { provenance: _, ...written } = CAPTURED;
    const ids = [
      chosen,
      given(store, { ...written, title: 'Written by hand' }).learning.id,
      given(store, { ...CAPTURED, title: 'Recorded', provenance: { agent: 'claude-code' } }).learning.id,
      given(store, { ...CAPTURED, title: 'Put away', status: 'archived' }).learning.id,
    ];
    expect(await sweep()).toBe(0);
    expect(ids.map(branchOf)).toEqual([BRANCH, BRANCH, BRANCH, BRANCH]);
  });
});
