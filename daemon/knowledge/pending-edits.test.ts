import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../store/learnings/history.ts';
import { listStrays } from '../store/learnings/documents.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { countDocumentProblems, getLearning } from '../store/learnings/learnings.ts';
import { EDITED } from '../testing/temp-home.ts';
import { rescan } from './testing.ts';
import { undo } from './revise.ts';
import { world } from './testing.ts';

describe('an edit in the app while one on disk has not been noticed', () => {
  test('keeps both: the edit by hand goes into history first', async () => {
    const { store, id, edit, read } = world();
    edit('Because of ESM.', 'Because of speed.');
    changeLearning(store, id, { rule: 'Never mocha.' }, EDITED);
    expect(getLearning(store.db, id)).toMatchObject({ rule: 'Never mocha.', body: 'Because of speed.' });
    expect(historyOf(store.db, id).map(({ actor, fields }) => [actor, fields])).toEqual([
      ['test', ['rule']],
      ['hand', ['body']],
      ['test', []],
    ]);
    expect(read()).toMatch(/Never mocha\.[\s\S]*Because of speed\./);
    expect(await rescan(store)).toBe(0);
  });

  test('of the same field leaves the edit by hand in history', () => {
    const { store, id, edit } = world();
    edit('Never jest.', 'Never ava.');
    changeLearning(store, id, { rule: 'Never mocha.' }, EDITED);
    expect(getLearning(store.db, id).rule).toBe('Never mocha.');
    undo(store, undefined, 'person');
    expect(getLearning(store.db, id).rule).toBe('Never ava.');
  });

  test('and broken moves the broken file aside and says so', async () => {
    const { store, id, edit, read } = world();
    edit('title: Run', 'titel: Precious words');
    changeLearning(store, id, { rule: 'Never mocha.' }, EDITED);
    expect(read()).toContain('Never mocha.');
    const [stray] = listStrays(store.db);
    expect(stray?.problem).toMatch(/titel.*kept here/);
    expect(readFileSync(join(store.documents, stray?.path ?? ''), 'utf8')).toContain('Precious words');
    expect(countDocumentProblems(store.db)).toBe(1);
    rmSync(join(store.documents, stray?.path ?? ''));
    await rescan(store);
    expect(countDocumentProblems(store.db)).toBe(0);
  });

  test('made between a crash and the next start is kept aside too', async () => {
    const { store, id, file, edit } = world();
    const crashing = {
      ...store,
      onStep: (step: string) => {
        if (step === 'row committed') throw new Error('crash');
      },
    };
    expect(() => changeLearning(crashing, id, { rule: 'Never mocha.' }, EDITED)).toThrow('crash');
    edit('Never jest.', 'Precious words.');
    flushOutbox(store.db, store.documents);
    expect(readFileSync(file, 'utf8')).toContain('Never mocha.');
    expect(readFileSync(join(store.documents, listStrays(store.db)[0]?.path ?? ''), 'utf8')).toContain(
      'Precious words.',
    );
    expect(await rescan(store)).toBe(0);
  });
});
