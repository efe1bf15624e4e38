import { describe, expect, test } from 'vitest';
import { getLearning } from '../store/learnings/learnings.ts';
import { askMerge, getQuestion, openQuestions } from '../store/learnings/questions.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { answerMerge } from './merges.ts';
import { undo } from './revise.ts';

function asked() {
  const store = tempStore();
  const existing = given(store, {
    title: 'Run the tests with vitest',
    tags: ['tests'],
    confidence: 0.5,
  }).learning;
  const incoming = given(store, {
    title: 'Use vitest for tests',
    tags: ['vitest'],
    confidence: 0.9,
    status: 'proposed',
  }).learning;
  const id = askMerge(store, {
    similarity: 0.93,
    existingId: existing.id,
    incomingId: incoming.id,
  });
  const now = (learning: { id: string }) => getLearning(store.db, learning.id);
  return { store, id, existing, incoming, now };
}

describe('a merge question', () => {
  test('shows both notes while it is open', () => {
    const { store, id, existing, incoming } = asked();
    expect(openQuestions(store.db)).toMatchObject([
      {
        id,
        similarity: 0.93,
        state: 'open',
        existing: { id: existing.id },
        incoming: { id: incoming.id, status: 'proposed' },
      },
    ]);
    expect(openQuestions(store.db)).toHaveLength(1);
  });

  test('answered with merge makes one note of two, better proven', () => {
    const { store, id, existing, incoming, now } = asked();
    answerMerge(store, id, 'merge', { title: 'Run all tests with vitest' }, 'person');
    expect(now(existing)).toMatchObject({
      title: 'Run all tests with vitest',
      tags: ['tests', 'vitest'],
      confidence: 0.9,
      status: 'active',
      signals: { proofCount: 2 },
    });
    expect(now(incoming)).toMatchObject({ status: 'superseded', isLatest: false, supersededBy: existing.id });
    expect([getQuestion(store.db, id).state, openQuestions(store.db).length]).toEqual(['merged', 0]);
  });

  test('merged can be undone as one event: both notes stand as before and the question is open again', () => {
    const { store, id, existing, incoming, now } = asked();
    const { changeId } = answerMerge(store, id, 'merge', { title: 'Run all tests with vitest' }, 'person');
    undo(store, changeId, 'person');
    expect([now(existing).signals.proofCount, getQuestion(store.db, id).state]).toEqual([1, 'open']);
    expect(now(existing)).toMatchObject({ title: existing.title, tags: ['tests'], confidence: 0.5 });
    expect(now(incoming)).toMatchObject({ status: 'proposed', isLatest: true, supersededBy: null });
  });

  test('answered with keep-both makes the second live; undone, it is held again', () => {
    const { store, id, existing, incoming, now } = asked();
    answerMerge(store, id, 'keep-both', {}, 'person');
    expect([now(existing).status, now(incoming).status, getQuestion(store.db, id).state]).toEqual([
      'active',
      'active',
      'kept-both',
    ]);
    undo(store, undefined, 'person');
    expect(now(incoming).status).toBe('proposed');
  });

  test('answered with dismiss archives the second; undone, it is held again', () => {
    const { store, id, incoming, now } = asked();
    answerMerge(store, id, 'dismiss', {}, 'person');
    expect([now(incoming).status, getQuestion(store.db, id).state]).toEqual(['rejected', 'dismissed']);
    undo(store, undefined, 'person');
    expect(now(incoming).status).toBe('proposed');
  });

  test('is answered once; a second answer is a conflict and changes nothing', () => {
    const { store, id, incoming, now } = asked();
    answerMerge(store, id, 'dismiss', {}, 'person');
    expect(() => answerMerge(store, id, 'merge', {}, 'person')).toThrow(
      expect.objectContaining({ code: 'conflict' }) as Error,
    );
    expect(now(incoming).status).toBe('rejected');
  });

  test('about a note that was merged since is refused, and names the note it was merged into', () => {
    const { store, id, existing, incoming } = asked();
    const other = askMerge(store, {
      similarity: 0.92,
      existingId: existing.id,
      incomingId: incoming.id,
    });
    answerMerge(store, id, 'merge', {}, 'person');
    expect(() => answerMerge(store, other, 'merge', {}, 'person')).toThrow(
      `${incoming.id} is already merged into ${existing.id}`,
    );
    expect(openQuestions(store.db)).toEqual([]);
  });

  test('about a merged note shows the note it became', () => {
    const { store, id, existing, incoming, now } = asked();
    const third = given(store, { title: 'Vitest is for tests', status: 'proposed' }).learning;
    const later = askMerge(store, {
      similarity: 0.92,
      existingId: incoming.id,
      incomingId: third.id,
    });
    answerMerge(store, id, 'merge', {}, 'person');
    expect(openQuestions(store.db)).toMatchObject([{ id: later, existing: { id: existing.id } }]);
    answerMerge(store, later, 'merge', {}, 'person');
    expect([now(third).supersededBy, now(existing).signals.proofCount]).toEqual([existing.id, 3]);
  });

  test('answered with replace supersedes the old one; undone, both are as before', () => {
    const { store, id, existing, incoming, now } = asked();
    const { changeId } = answerMerge(store, id, 'replace', {}, 'person');
    expect([now(existing), now(incoming)]).toMatchObject([
      { status: 'superseded', supersededBy: incoming.id },
      { status: 'active', isLatest: true },
    ]);
    undo(store, changeId, 'person');
    expect([now(existing).status, now(incoming).status, getQuestion(store.db, id).state]).toEqual([
      'active',
      'proposed',
      'open',
    ]);
  });

  test('that does not exist is not found', () => {
    expect(() => answerMerge(tempStore(), 4711, 'merge', {}, 'person')).toThrow(
      expect.objectContaining({ code: 'not-found' }) as Error,
    );
  });

  test('that cannot be carried out stays open and leaves both notes alone', () => {
    const { store, id, existing, incoming, now } = asked();
    expect(() => answerMerge(store, id, 'merge', { forgetAfter: 9e15 }, 'person')).toThrow(
      expect.objectContaining({ code: 'bad-input' }) as Error,
    );
    expect([getQuestion(store.db, id).state, now(existing).tags, now(incoming).status]).toEqual([
      'open',
      ['tests'],
      'proposed',
    ]);
  });
});
