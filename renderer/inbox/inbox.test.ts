import { describe, expect, test } from 'vitest';
import { Learning, type MergeQuestion } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { InboxState } from './inbox.svelte.ts';
import { differingFields, firstChoices, mergedNote } from './merge-choice.ts';

const learning = (id: string, change: Partial<Learning>): Learning =>
  Learning.parse({
    id, title: id, createdAt: 1, updatedAt: 1, documentProblem: null,
    signals: {
      qValue: 0.5, quality: 3, uses: 0, successes: 0, proofCount: 1, recallCount: 0, helpfulCount: 0, ignoredCount: 0, staleCount: 0,
      lastRecalledAt: null, importance: 0, maturity: 'draft',
    },
    ...change,
  });

const known = learning('known', { title: 'Same', rule: 'Use tabs', fix: '', tags: ['style'] });
const fresh = learning('fresh', { title: 'Same', rule: 'Use tabs always', fix: 'Run the formatter', tags: ['format'] });

describe('what a merge keeps', () => {
  test('only fields that differ are in question', () => {
    expect(differingFields(known, fresh)).toEqual(['rule', 'fix', 'tags']);
  });

  test('what is known stays, gaps are filled, tags add up', () => {
    expect(mergedNote(known, fresh, firstChoices(known, fresh))).toEqual({ rule: 'Use tabs', fix: 'Run the formatter', tags: ['style', 'format'] });
  });

  test('both keeps both texts', () => {
    expect(mergedNote(known, fresh, { rule: 'both', fix: 'both' })).toMatchObject({ rule: 'Use tabs\n\nUse tabs always', fix: 'Run the formatter' });
  });
});

function world(questions: number[], refuses = false) {
  const resolved: unknown[] = [];
  const open: MergeQuestion[] = questions.map((at) => ({ id: at, kind: 'twin', at, similarity: 0.9, existing: known, incoming: fresh, state: 'open' }));
  const answers: Record<string, unknown> = { 'merges.list': open, 'gaps.list': [{ query: 'how', project: '', times: 2, sessions: 1, lastAt: 1 }], status: { documentProblems: 0 }, 'capture.windows': [] };
  const call = async (method: string, input: unknown) => {
    if (method !== 'merges.resolve') return answers[method];
    if (refuses) throw new DaemonError('conflict');
    resolved.push(input);
    return { changeId: 7 };
  };
  return { inbox: new InboxState(call as unknown as Call), resolved };
}

describe('the inbox', () => {
  test('is one queue, merge questions first, oldest first', async () => {
    const { inbox } = world([5, 2]);
    await inbox.load();
    expect(inbox.decisions.map(({ key }) => key)).toEqual(['merge-2', 'merge-5', 'gap--how']);
    expect(inbox.selectedKey).toBe('merge-2');
  });

  test('a decision takes effect at once and goes on to the next', async () => {
    const { inbox, resolved } = world([2, 5]);
    await inbox.load();
    inbox.choose('rule', 'incoming');
    inbox.edit('fix', 'dropped by choosing anew');
    inbox.choose('fix', 'incoming');
    inbox.edit('tags', 'style, ci, style');
    const resolving = inbox.resolve('merge');
    expect(inbox.selectedKey).toBe('merge-5');
    await resolving;
    expect(resolved).toEqual([{ id: 2, action: 'merge', merged: { rule: 'Use tabs always', fix: 'Run the formatter', tags: ['style', 'ci'] } }]);
    await inbox.resolve('keep-both');
    expect(resolved[1]).toEqual({ id: 5, action: 'keep-both' });
    expect(inbox.selectedKey).toBe('gap--how');
    await expect(inbox.resolve('dismiss')).resolves.toBeNull();
  });

  test('a refused decision comes back', async () => {
    const { inbox } = world([2], true);
    await inbox.load();
    await expect(inbox.resolve('dismiss')).rejects.toMatchObject({ code: 'conflict' });
    expect(inbox.selectedKey).toBe('merge-2');
  });
});
