import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { withKnobs } from '../drain/testing.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { historyOf } from '../store/learnings/history.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { openQuestions } from '../store/learnings/questions.ts';
import { needs } from '../testing/needs.ts';
import { world } from '../testing/world.ts';
import { ingestNote } from './revise.ts';
import { preview } from './twins.ts';

needs(NO_WEIGHTS);

const PROJECT = 'github.com/acme/shop';
const BOUND = {
  title: 'Tests must never mock the database, use the real one',
  project: PROJECT,
  branch: 'feat/tax',
};
const AGAIN = 'In tests, never mock the database; use the real one';

/** The learning of a branch, after a note was ingested that was said on this branch. */
async function afterSaying(title: string, branch?: string | null) {
  const { store, inference } = await world([BOUND]);
  const note = Note.parse({ title, project: PROJECT });
  const resolve = withKnobs();
  const previewed = await preview(store, inference, note, resolve, () => {});
  const evidence = {
    actor: 'test',
    reason: 'said',
    source: 's',
    ...(branch === undefined ? {} : { branch }),
  };
  const { outcome } = ingestNote(store, note, evidence, previewed);
  const [id = ''] = listLearnings(store.db, { offset: 0, limit: 9 })
    .items.filter((item) => item.title === BOUND.title)
    .map((item) => item.id);
  return { store, id, outcome, branch: getLearning(store.db, id).branch };
}

describe('a branch’s learning that is said again in other words', () => {
  test('becomes the project’s when that was on another branch, and both are compared there later', async () => {
    const { store, id, branch, outcome } = await afterSaying(AGAIN, 'feat/cart');
    expect([branch, outcome, openQuestions(store.db).length]).toEqual([null, 'created', 0]);
    expect(historyOf(store.db, id)[0]).toMatchObject({
      kind: 'move',
      reason: 'it came up again on feat/cart',
    });
  });

  test('stays when that was on the same branch, nobody knows where, or something else', async () => {
    expect((await afterSaying(AGAIN, 'feat/tax')).branch).toBe('feat/tax');
    expect((await afterSaying(AGAIN)).branch).toBe('feat/tax');
    expect((await afterSaying('Release tags are made by hand on Fridays', null)).branch).toBe('feat/tax');
  });
});
