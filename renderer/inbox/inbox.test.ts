import { describe, expect, test } from 'vitest';
import type { PublishOffer } from '#contract/team.ts';
import type { Candidate } from '#contract/candidates.ts';
import type { MergeQuestion } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import type { Decision } from './decisions.ts';
import { InboxState } from './inbox.svelte.ts';
import { differingFields, firstChoices, mergedNote } from './merge-choice.ts';
import { Queries } from '../query/queries.svelte.ts';
import { Drafts } from '../drafts.svelte.ts';
import { learningOf, rowOf } from '../testing.ts';
import { answerDrafts, mergeDrafts, wordingDrafts } from './drafts.ts';

const known = learningOf('known', { title: 'Same', rule: 'Use tabs', fix: '', tags: ['style'] });
const fresh = learningOf('fresh', {
  title: 'Same',
  rule: 'Use tabs always',
  fix: 'Run the formatter',
  tags: ['format'],
});

describe('what a merge keeps', () => {
  test('only fields that differ are in question', () => {
    expect(differingFields(known, fresh)).toEqual(['rule', 'fix', 'tags']);
  });

  test('what is known stays, gaps are filled, tags add up', () => {
    expect(mergedNote(known, fresh, firstChoices(known, fresh))).toEqual({
      rule: 'Use tabs',
      fix: 'Run the formatter',
      tags: ['style', 'format'],
    });
  });

  test('both keeps both texts', () => {
    expect(mergedNote(known, fresh, { rule: 'both', fix: 'both' })).toMatchObject({
      rule: 'Use tabs\n\nUse tabs always',
      fix: 'Run the formatter',
    });
  });
});

/** A daemon with these questions, which remembers what was decided and leaves it out from then on. */
function world(
  questions: number[],
  refuses = false,
  candidates: Candidate[] = [],
  offers: PublishOffer[] = [],
) {
  const done: unknown[][] = [];
  let open: MergeQuestion[] = questions.map((at) => ({
    id: at,
    kind: 'twin',
    at,
    similarity: 0.9,
    existing: known,
    incoming: fresh,
    state: 'open',
  }));
  const answers: Record<string, () => unknown> = {
    'inbox.list': () => ({
      questions: open,
      notes: {
        suspicious: [],
        imported: [],
        proposed: [rowOf('principle', { status: 'proposed' })],
        speculative: [rowOf('guess', { speculative: true })],
        unvalidated: [],
        broken: [],
      },
      batches: [],
      slots: [],
      strays: [],
      skills: [],
      conventions: [],
      gaps: [{ query: 'how', project: '', times: 2, sessions: 1, lastAt: 1 }],
      publish: offers,
      candidates: { best: candidates, total: candidates.length },
    }),
  };
  const call = async (method: string, input: { id?: number }) => {
    const answer = answers[method];
    if (answer) return answer();
    if (refuses) throw new DaemonError('conflict');
    done.push([method, input]);
    if (method === 'merges.resolve') open = open.filter(({ id }) => id !== input.id);
    return { changeId: 7, undoneBy: 8 };
  };
  return {
    inbox: new InboxState(
      new Queries(call as unknown as Call),
      new Drafts([mergeDrafts, answerDrafts, wordingDrafts]),
    ),
    done,
    reopen: (question: MergeQuestion) => (open = [question, ...open]),
    first: open[0],
  };
}

describe('the inbox', () => {
  test('is one queue, merge questions first, oldest first', async () => {
    const { inbox } = world([5, 2]);
    await inbox.load();
    expect(inbox.decisions.map(({ key }) => key)).toEqual([
      'merge-2',
      'merge-5',
      'proposed-principle',
      'speculative-guess',
      'gap--how',
    ]);
    expect(inbox.selectedKey).toBe('merge-2');
    expect(inbox.form.field).toBe('rule');
  });

  test('a link may select a question before it is here', async () => {
    const { inbox } = world([2, 5]);
    inbox.select('merge-5');
    await inbox.load();
    expect([inbox.selectedKey, inbox.form.field]).toEqual(['merge-5', 'rule']);
    expect(inbox.form.choices).toMatchObject({ rule: 'existing' });
    inbox.select('gone');
    await inbox.load();
    expect(inbox.selectedKey).toBe('merge-2');
  });

  test('a decision takes effect at once and goes on to the next', async () => {
    const { inbox, done } = world([2, 5]);
    await inbox.load();
    inbox.form.choose('rule', 'incoming');
    inbox.form.edit('fix', 'dropped by choosing again');
    inbox.form.choose('fix', 'incoming');
    inbox.form.edit('tags', 'style, ci, style');
    const resolving = inbox.resolve('merge');
    expect(inbox.selectedKey).toBe('merge-5');
    await resolving;
    expect(done).toEqual([
      [
        'merges.resolve',
        {
          id: 2,
          action: 'merge',
          merged: { rule: 'Use tabs always', fix: 'Run the formatter', tags: ['style', 'ci'] },
        },
      ],
    ]);
    await inbox.resolve('keep-both');
    expect(done[1]).toEqual(['merges.resolve', { id: 5, action: 'keep-both' }]);
    expect(inbox.selectedKey).toBe('proposed-principle');
    await expect(inbox.resolve('dismiss')).resolves.toBeNull();
  });

  test('what is told of a merge names the title it has now', async () => {
    const { inbox } = world([2, 5]);
    await inbox.load();
    inbox.form.edit('title', 'Indent with tabs');
    expect((await inbox.resolve('merge'))?.says).toBe('Merged into “Indent with tabs”.');
  });

  test('what was decided stays gone while a list asked for before arrives', async () => {
    const { inbox } = world([2, 5]);
    await inbox.load();
    const late = inbox.load();
    const resolving = inbox.resolve('dismiss');
    await late;
    expect(inbox.decisions.map(({ key }) => key)).not.toContain('merge-2');
    await resolving;
    await inbox.load();
    expect(inbox.decisions.map(({ key }) => key)).not.toContain('merge-2');
  });

  test('a refused decision comes back', async () => {
    const { inbox } = world([2], true);
    await inbox.load();
    await expect(inbox.resolve('dismiss')).rejects.toMatchObject({ code: 'conflict' });
    expect(inbox.selectedKey).toBe('merge-2');
  });

  test('a decision that is undone is there again, and selected', async () => {
    const { inbox, done, reopen, first } = world([2, 5]);
    await inbox.load();
    const decided = await inbox.resolve('dismiss');
    if (first) reopen(first);
    await decided?.undo?.();
    expect(done.at(-1)).toEqual(['changes.undo', { changeId: 7 }]);
    expect(inbox.selectedKey).toBe('merge-2');
  });

  test('keeping a note means what it waited for; dropping a proposal rejects it', async () => {
    const { inbox, done } = world([]);
    await inbox.load();
    inbox.select('speculative-guess');
    await inbox.judge('keep');
    inbox.select('proposed-principle');
    await inbox.judge('drop');
    expect(done).toEqual([
      ['learnings.update', { id: 'guess', patch: { speculative: false } }],
      ['learnings.update', { id: 'principle', patch: { status: 'rejected' } }],
    ]);
  });

  const OFFER = {
    space: 'acme',
    id: 'lrn-a',
    title: 'Use pnpm',
    project: 'shop',
    changed: false,
    text: '',
  };

  test('a note is published or kept here, and either can be undone', async () => {
    const { inbox, done } = world([], false, [], [OFFER, { ...OFFER, id: 'lrn-b' }]);
    await inbox.load();
    inbox.select('publish-acme-lrn-a');
    const published = await inbox.judge('keep');
    inbox.select('publish-acme-lrn-b');
    const kept = await inbox.judge('drop');
    await published?.undo?.();
    await kept?.undo?.();
    expect(done).toEqual([
      ['team.publish', { space: 'acme', ids: ['lrn-a'] }],
      ['team.decline', { space: 'acme', id: 'lrn-b' }],
      ['team.retract', { space: 'acme', id: 'lrn-a' }],
      ['team.decline', { space: 'acme', id: 'lrn-b', declined: false }],
    ]);
  });

  test('the change of a published note has no undo: it would take the whole note from everybody', async () => {
    const { inbox } = world([], false, [], [{ ...OFFER, changed: true }]);
    await inbox.load();
    inbox.select('publish-acme-lrn-a');
    expect(await inbox.judge('keep')).toEqual({ says: 'Published “Use pnpm” to acme.' });
  });

  test('an answer to a gap becomes a learning and closes the gap', async () => {
    const { inbox, done } = world([]);
    await inbox.load();
    inbox.select('gap--how');
    await expect(inbox.answerGap()).resolves.toBeNull();
    inbox.answer = 'Like this.\nAnd that.';
    const decided = await inbox.answerGap();
    expect(done[0]).toMatchObject([
      'learnings.create',
      { note: { title: 'Like this.', rule: 'Like this.\nAnd that.', problem: 'how', scope: 'global' } },
    ]);
    expect(done[1]).toEqual(['gaps.close', { query: 'how', project: '' }]);
    expect(inbox.decisions.map(({ key }) => key)).not.toContain('gap--how');

    const redo = (await decided?.undo?.()) as () => Promise<unknown>;
    await redo();
    expect(done.slice(2)).toEqual([
      ['changes.undo', { changeId: 7 }],
      ['gaps.close', { query: 'how', project: '', closed: false }],
      ['changes.undo', { changeId: 8 }],
      ['gaps.close', { query: 'how', project: '' }],
    ]);
  });

  test('edits of a merge and a half-written answer survive looking at another decision', async () => {
    const { inbox } = world([2, 5]);
    await inbox.load();
    inbox.form.edit('rule', 'half a thought');
    inbox.move(1);
    expect(inbox.form.edits).toEqual({});
    inbox.select('gap--how');
    inbox.answer = 'Like th';
    inbox.select('merge-2');
    expect([inbox.form.edits, inbox.selected && inbox.isUnsaved(inbox.selected)]).toEqual([
      { rule: 'half a thought' },
      true,
    ]);
    await inbox.load();
    inbox.select('gap--how');
    expect(inbox.answer).toBe('Like th');
    inbox.discard()?.();
    expect(inbox.answer).toBe('Like th');
  });

  test('a merge that is undone has its edits again', async () => {
    const { inbox, reopen, first } = world([2, 5]);
    await inbox.load();
    inbox.form.edit('rule', 'mine');
    const decided = await inbox.resolve('merge');
    if (first) reopen(first);
    await decided?.undo?.();
    expect([inbox.selectedKey, inbox.form.edits]).toEqual(['merge-2', { rule: 'mine' }]);
  });
});

describe('candidates', () => {
  const candidate = (id: string): Candidate => ({
    ...rowOf(id, { status: 'candidate' }),
    session: 's1',
    momentId: 1,
    quote: 'as it was said',
    noticed: ['forbids something'],
    waits: ['names nothing'],
  });
  const open = async () => {
    const made = world([], false, ['one', 'two', 'three'].map(candidate));
    await made.inbox.load();
    made.inbox.select('candidate-one');
    return made;
  };

  test('come last and do not ask for attention', async () => {
    const { inbox } = await open();
    expect(inbox.groups.at(-1)).toMatchObject({ title: 'Candidates', items: { length: 3 } });
    expect(inbox.asking).toBe(inbox.decisions.length - 3);
  });

  test('are kept one by one, in other words if some were written', async () => {
    const { inbox, done } = await open();
    await inbox.judgeCandidates('keep');
    inbox.select('candidate-two');
    inbox.wording = 'Say it better';
    expect(inbox.isUnsaved({ key: 'candidate-two' } as Decision)).toBe(true);
    const decided = await inbox.judgeCandidates('keep');
    expect(decided?.says).toBe('Kept “Say it better”.');
    expect(done).toEqual([
      ['candidates.keep', { ids: ['one'] }],
      ['candidates.keep', { ids: ['two'], patch: { title: 'Say it better', rule: 'Say it better' } }],
    ]);
    await decided?.undo?.();
    expect(done.at(-1)).toEqual(['changes.undo', { changeId: 7 }]);
  });

  test('are dropped together when they are marked', async () => {
    const { inbox, done } = await open();
    inbox.mark();
    inbox.select('candidate-three');
    inbox.mark();
    const decided = await inbox.judgeCandidates('drop');
    expect(decided?.says).toBe('Dropped 2 candidates.');
    expect(done).toEqual([['candidates.drop', { ids: ['one', 'three'] }]]);
    expect(inbox.marked.size).toBe(0);
  });

  test('are reworded one at a time, whatever is marked', async () => {
    const { inbox, done } = await open();
    inbox.markAll();
    inbox.wording = 'Say it better';
    await inbox.judgeCandidates('keep');
    expect(done).toEqual([
      ['candidates.keep', { ids: ['one'], patch: { title: 'Say it better', rule: 'Say it better' } }],
    ]);
  });
});
