import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { historyOf } from '../store/learnings/history.ts';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { searchByWords } from '../store/search/words.ts';
import { EDITED, given, tempStore } from '../testing/temp-home.ts';
import { learn, undo } from './revise.ts';

const NOTE = { title: 'Run the tests with vitest', rule: 'Never jest.' };
const ARCHIVED = { actor: 'person', kind: 'archive', reason: '' } as const;

describe('learning', () => {
  test('the same words again proves the note instead of duplicating it, even after an edit', () => {
    const store = tempStore();
    const first = learn(store, Note.parse(NOTE), 'noticed', 'heuristic');
    expect(learn(store, Note.parse(NOTE), 'noticed', 'heuristic')).toMatchObject({
      learning: { id: first.learning.id },
    });
    changeLearning(store, first.learning.id, { title: 'Use vitest' }, EDITED);
    expect(learn(store, Note.parse(NOTE), 'noticed', 'heuristic')).toMatchObject({
      learning: { id: first.learning.id, title: 'Use vitest' },
    });
    expect(getLearning(store.db, first.learning.id).signals.proofCount).toBe(3);
  });

  test('other words, or the same in another project or branch, make another note', () => {
    const store = tempStore();
    const ids = [
      NOTE,
      { ...NOTE, rule: 'Never ava.' },
      { ...NOTE, project: 'p' },
      { ...NOTE, project: 'p', branch: 'b' },
    ].map((note) => learn(store, Note.parse(note), '', 'heuristic').learning.id);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^lrn-run-the-tests-with-vitest-[0-9a-f]{6}$/);
  });
});

describe('undo', () => {
  test('of a creation archives the note', () => {
    const store = tempStore();
    const { learning, changeId } = given(store, NOTE);
    expect(undo(store, changeId, 'person')).toMatchObject({
      change: { undone: true, kind: 'create' },
      learning: { status: 'archived' },
    });
    expect(searchByWords(store.db, 'vitest', null, 5)).toEqual([]);
    expect(historyOf(store.db, learning.id)[0]).toMatchObject({
      kind: 'undo',
      actor: 'person',
      reason: 'undoes create',
    });
  });

  test('of an update puts its fields back, in row, file and index, and leaves what was edited since', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, NOTE);
    const { changeId } = changeLearning(store, id, { rule: 'Never mocha.' }, EDITED);
    changeLearning(store, id, { tags: ['tests'] }, EDITED);
    expect(undo(store, changeId, 'person').learning).toMatchObject({ rule: 'Never jest.', tags: ['tests'] });
    expect(readFileSync(join(store.documents, documentOf(store.db, id)?.path ?? ''), 'utf8')).toContain(
      'rule: Never jest.',
    );
    expect(searchByWords(store.db, 'mocha', null, 5)).toEqual([]);
  });

  test('of archiving recalls the note again', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, NOTE);
    changeLearning(store, id, { status: 'archived' }, ARCHIVED);
    undo(store, undefined, 'person');
    expect(getLearning(store.db, id).status).toBe('active');
    expect(searchByWords(store.db, 'vitest', null, 5)).toHaveLength(1);
  });

  test('of a move brings the files back', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, { ...NOTE, project: 'one' });
    changeLearning(store, id, { project: 'two' }, { ...EDITED, kind: 'move' });
    undo(store, undefined, 'person');
    expect(existsSync(join(store.documents, 'one', `${id}.md`))).toBe(true);
    expect(existsSync(join(store.documents, 'two', `${id}.md`))).toBe(false);
  });

  test('twice is refused, by id', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, NOTE);
    const { changeId } = changeLearning(store, id, { rule: 'x' }, EDITED);
    undo(store, changeId, 'person');
    expect(() => undo(store, changeId, 'person')).toThrow(
      expect.objectContaining({ code: 'conflict' }) as Error,
    );
    expect(getLearning(store.db, id).rule).toBe('Never jest.');
  });

  test('without an id goes back step by step and ends with nothing to undo', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, NOTE);
    changeLearning(store, id, { rule: 'two' }, EDITED);
    changeLearning(store, id, { rule: 'three' }, EDITED);
    expect(
      [
        undo(store, undefined, 'person'),
        undo(store, undefined, 'person'),
        undo(store, undefined, 'person'),
      ].map(({ learning }) => [learning?.rule, learning?.status]),
    ).toEqual([
      ['two', 'active'],
      ['Never jest.', 'active'],
      ['Never jest.', 'archived'],
    ]);
    expect(() => undo(store, undefined, 'person')).toThrow(
      expect.objectContaining({ code: 'not-found' }) as Error,
    );
  });

  test('of an undo by its id does the change again', () => {
    const store = tempStore();
    const {
      learning: { id },
    } = given(store, NOTE);
    changeLearning(store, id, { rule: 'two' }, EDITED);
    undo(store, undefined, 'person');
    undo(store, historyOf(store.db, id)[0]?.id, 'person');
    expect(getLearning(store.db, id).rule).toBe('two');
  });

  test('of an unknown change is refused', () => {
    expect(() => undo(tempStore(), 4711, 'person')).toThrow(
      expect.objectContaining({ code: 'not-found' }) as Error,
    );
  });
});
