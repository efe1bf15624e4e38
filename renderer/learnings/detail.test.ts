import { describe, expect, test } from 'vitest';
import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { DetailState } from './detail.svelte.ts';
import { draftOf, draftProblem, fieldsToRead, learningDrafts, patchOf } from './draft.ts';
import { Queries } from '../query/queries.svelte.ts';
import { Drafts } from '../drafts.svelte.ts';
import { learningOf } from '../testing.ts';

const learning = (change: Partial<Learning> = {}): Learning =>
  learningOf('run-vitest', {
    title: 'Run tests with vitest',
    rule: 'Use vitest',
    tags: ['tests', 'node'],
    updatedAt: 10,
    ...change,
  });

test('a rule in the words of the title is not read twice', () => {
  expect(fieldsToRead(learning({ problem: 'Slow' }))).toEqual(['rule', 'problem']);
  expect(fieldsToRead(learning({ rule: 'Run tests with vitest', fix: 'Yes' }))).toEqual(['fix']);
});

test('a text that says what one before it said is not read twice', () => {
  const title = 'The lint failed because of the import order';
  const rootCause = `Root cause: ${title}.`;
  expect(fieldsToRead(learning({ title, rule: '', rootCause, fix: rootCause, keyInsight: 'Sort' }))).toEqual([
    'keyInsight',
  ]);
});

describe('a draft', () => {
  test('saves only what differs', () => {
    const draft = { ...draftOf(learning()), rule: 'Use vitest run', tags: 'tests,  node ' };
    expect(patchOf(learning(), draft)).toEqual({ rule: 'Use vitest run' });
  });

  test('without a title is refused in words', () => {
    expect(draftProblem({ ...draftOf(learning()), title: ' ' })).toMatch(/title is required/);
    expect(draftProblem({ ...draftOf(learning()), title: 'x'.repeat(401) })).toMatch(/longer than 400/);
    expect(draftProblem(draftOf(learning()))).toBeNull();
  });
});

/** A daemon with one learning that anybody may change. */
function world() {
  let stored = learning();
  const updates: { patch: object; seenUpdatedAt: number }[] = [];
  const call = async (method: string, input: { patch: Partial<Learning>; seenUpdatedAt: number }) => {
    if (method === 'learnings.get') return stored;
    if (method === 'learnings.excerpt') return { available: false, why: '', turns: [], sessionTitle: '' };
    if (input.seenUpdatedAt !== stored.updatedAt) throw new DaemonError('conflict');
    updates.push(input);
    stored = { ...stored, ...input.patch, updatedAt: stored.updatedAt + 1 };
    return { learning: stored, changeId: 3 };
  };
  const changeElsewhere = (change: Partial<Learning>) => (stored = { ...stored, ...change, updatedAt: 99 });
  return {
    detail: new DetailState(new Queries(call as unknown as Call), new Drafts([learningDrafts])),
    updates,
    changeElsewhere,
  };
}

async function editing() {
  const made = world();
  await made.detail.open('run-vitest');
  made.detail.edit();
  const { draft } = made.detail;
  if (!draft) throw new Error('the form did not open');
  return { ...made, draft };
}

describe('editing a learning', () => {
  test('saves with the version that was read', async () => {
    const { detail, draft, updates } = await editing();
    draft.rule = 'Use vitest run';
    expect(detail.isUnsaved).toBe(true);
    await expect(detail.save()).resolves.toBe(3);
    expect(updates).toEqual([{ id: 'run-vitest', patch: { rule: 'Use vitest run' }, seenUpdatedAt: 10 }]);
    expect(detail.draft).toBeNull();
    expect(detail.learning.value?.rule).toBe('Use vitest run');
  });

  test('a change made elsewhere meanwhile is shown, and mine can be saved over it', async () => {
    const { detail, draft, updates, changeElsewhere } = await editing();
    draft.rule = 'Mine';
    changeElsewhere({ fix: 'Theirs' });
    await expect(detail.save()).resolves.toBeNull();
    expect(detail.newer?.fix).toBe('Theirs');
    expect(detail.draft?.rule).toBe('Mine');

    await expect(detail.keepMine()).resolves.toBe(3);
    expect(updates.at(-1)).toMatchObject({ seenUpdatedAt: 99 });
    expect(detail.learning.value?.rule).toBe('Mine');
  });

  test('or theirs can be taken', async () => {
    const { detail, draft, changeElsewhere } = await editing();
    draft.rule = 'Mine';
    changeElsewhere({ rule: 'Theirs' });
    await detail.save();
    detail.discard();
    expect(detail.draft).toBeNull();
    expect(detail.learning.value?.rule).toBe('Theirs');
  });

  test('nothing can be edited until the learning that was opened is here', async () => {
    const { detail } = world();
    await detail.open('run-vitest');
    const opening = detail.open('another-one');
    expect(detail.learning.value?.id).toBe('run-vitest');
    expect(detail.current).toBeUndefined();
    detail.edit();
    expect(detail.draft).toBeNull();
    await opening;
  });

  test('a key that comes first waits for the learning, and does nothing to another one', async () => {
    const { detail } = world();
    void detail.open('run-vitest');
    expect(detail.current).toBeUndefined();
    await expect(detail.loaded()).resolves.toMatchObject({ id: 'run-vitest' });

    void detail.open('another-one');
    const loaded = detail.loaded();
    await detail.open('run-vitest');
    await expect(loaded).resolves.toBeUndefined();
  });

  test('discarding offers back what was typed', async () => {
    const { detail, draft } = await editing();
    draft.rule = 'half a thought';
    const restore = detail.discard();
    expect(detail.draft).toBeNull();
    restore?.();
    expect(detail.draft?.rule).toBe('half a thought');
    detail.discard();
    expect(detail.discard()).toBeNull();
  });

  test('what was typed is there again after another learning was opened', async () => {
    const { detail, draft } = await editing();
    draft.rule = 'half a thought';
    await detail.open('another-one');
    expect(detail.draft).toBeNull();
    await detail.open('run-vitest');
    expect([detail.draft?.rule, detail.isUnsaved]).toEqual(['half a thought', true]);
  });

  test('an untouched form is closed by opening another learning', async () => {
    const { detail } = await editing();
    await detail.open('another-one');
    await detail.open('run-vitest');
    expect(detail.draft).toBeNull();
  });
});
