import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { listCandidates } from '../store/learnings/candidates.ts';
import { historyOf } from '../store/learnings/history.ts';
import { getLearning, noteOf } from '../store/learnings/learnings.ts';
import { given, tempStore, type TempStore } from '../testing/temp-home.ts';
import { dropCandidates, keepCandidates, promote, promoteBy } from './candidates.ts';
import { undo } from './revise.ts';

const PERSON = { actor: 'person', reason: 'worth it' };
const waiting = (store: TempStore, title: string, more: object = {}) =>
  given(store, { title, project: 'acme/shop', status: 'candidate', ...more }).learning;
const statusOf = (store: TempStore, id: string) => getLearning(store.db, id).status;

describe('candidates', () => {
  test('are listed best first, page by page, of one project or session', () => {
    const store = tempStore();
    const from = (session: string) => ({ provenance: { session } });
    waiting(store, 'Use pnpm', { confidence: 0.4, ...from('s1') });
    waiting(store, 'Round per line', { confidence: 0.45, ...from('s2') });
    waiting(store, 'Commit often', { confidence: 0.4, project: 'acme/site', ...from('s2') });
    given(store, { title: 'A learning', project: 'acme/shop' });
    const titles = (filter: object) =>
      listCandidates(store.db, { limit: 10, ...filter }).items.map(({ title }) => title);
    expect(titles({})).toEqual(['Round per line', 'Use pnpm', 'Commit often']);
    expect(titles({ project: 'acme/shop' })).toEqual(['Round per line', 'Use pnpm']);
    expect(titles({ session: 's2' })).toEqual(['Round per line', 'Commit often']);
    const first = listCandidates(store.db, { limit: 2 });
    expect(first).toMatchObject({ total: 3, items: [{ session: 's2' }, { session: 's1' }] });
    const rest = listCandidates(store.db, { limit: 2, after: first.cursor ?? '' });
    expect(rest).toMatchObject({ total: 3, cursor: null, items: [{ title: 'Commit often' }] });
  });

  test('are kept together and dropped together, each as one change that can be undone', () => {
    const store = tempStore();
    const ids = ['Use pnpm', 'Round per line'].map((title) => waiting(store, title).id);
    const kept = keepCandidates(store, ids, {}, PERSON);
    expect(ids.map((id) => statusOf(store, id))).toEqual(['active', 'active']);
    undo(store, kept.changeId ?? 0, 'person');
    expect(ids.map((id) => statusOf(store, id))).toEqual(['candidate', 'candidate']);
    const dropped = dropCandidates(store, ids, PERSON);
    expect(ids.map((id) => statusOf(store, id))).toEqual(['rejected', 'rejected']);
    undo(store, dropped.changeId ?? 0, 'person');
    expect(ids.map((id) => statusOf(store, id))).toEqual(['candidate', 'candidate']);
  });

  test('are edited one at a time', () => {
    const store = tempStore();
    const [one, other] = ['Use that', 'Use this'].map((title) => waiting(store, title).id) as [
      string,
      string,
    ];
    expect(() => keepCandidates(store, [one, other], { title: 'x' }, PERSON)).toThrow(
      /one candidate at a time/,
    );
    keepCandidates(store, [one], { title: 'Use pnpm here' }, PERSON);
    expect(getLearning(store.db, one)).toMatchObject({ title: 'Use pnpm here', status: 'active' });
  });

  test('and nothing else can be kept, dropped or promoted; one that is not a candidate refuses all', () => {
    const store = tempStore();
    const candidate = waiting(store, 'Use pnpm').id;
    const { id } = given(store, { title: 'A learning' }).learning;
    expect(() => keepCandidates(store, [candidate, id], {}, PERSON)).toThrow(/no longer a candidate/);
    expect(() => dropCandidates(store, [id], PERSON)).toThrow(/no longer a candidate/);
    expect(() => promote(store, id, { ...PERSON, source: '' })).toThrow(/no longer a candidate/);
    expect(statusOf(store, candidate)).toBe('candidate');
  });

  test('become learnings in better words; the history has the old ones, and undoing brings them back', () => {
    const store = tempStore();
    const provenance = { session: 's1', quote: 'no, not npm' };
    const { id } = waiting(store, 'No, not npm', { provenance, branch: 'feat/x' });
    const better = Note.parse({
      title: 'Install with pnpm, never npm',
      project: 'acme/shop',
      confidence: 0.9,
    });
    const { changeId } = promoteBy(store, better, id, {
      actor: 'agent',
      reason: 'in its words',
      source: 'm1',
    });
    expect(getLearning(store.db, id)).toMatchObject({
      title: better.title,
      status: 'active',
      branch: null,
      provenance,
      signals: { proofCount: 2 },
    });
    expect(historyOf(store.db, id).map(({ kind, before }) => [kind, before?.title])).toEqual([
      ['promote', 'No, not npm'],
      ['create', undefined],
    ]);
    undo(store, changeId, 'person');
    expect(noteOf(getLearning(store.db, id))).toMatchObject({ title: 'No, not npm', status: 'candidate' });
    expect(getLearning(store.db, id).signals.proofCount).toBe(1);
  });
});
