import { expect, test } from 'vitest';
import type { Learning } from '#contract/entities.ts';
import { findLearning, noteOf } from '../../store/learnings/learnings.ts';
import { searchByWords } from '../../store/search/words.ts';
import { drainWorld } from '../testing.ts';
import { engineering } from '../modes/engineering.ts';
import { problemsOf } from '../validation.ts';
import type { Writer } from '../writer.ts';
import { LEARNING_BAR } from '../stands-alone.ts';
import { heuristic } from './heuristic.ts';

const WORDS = "no, don't retry payments in the worker, the gateway does it";

/** Stands for a model of the user's choice. */
const other: Writer = {
  name: 'other',
  write: () =>
    Promise.resolve({
      title: 'The gateway retries payments, so the worker must never retry them',
      category: 'architecture',
      type: 'correction',
      tags: ['payments'],
      confidence: 0.9,
      body: 'Never retry payments in the worker.',
    }),
};

async function written(writer: Writer, moment = {}) {
  const world = drainWorld({ writer, knobs: { REFLECT_LEARNING_BAR: LEARNING_BAR.default } });
  world.say(WORDS, { reply: "You're right, the gateway already retries.", ...moment });
  await world.drain.run();
  const learning = findLearning(world.store.db, world.moments()[0]?.learningId ?? '') as Learning; // the test fails on it when null
  return { db: world.store.db, learning };
}

test('A5: without any model every required field is filled and valid, and the same words give the same note', async () => {
  const [{ learning }, again] = await Promise.all([written(heuristic), written(heuristic)]);
  expect(learning.title).toBe("Don't retry payments in the worker, the gateway does it");
  expect(problemsOf(noteOf(learning), engineering)).toEqual([]);
  expect(again.learning).toEqual(learning);
});

test('A5: it says that no model wrote it, which a note by a model does not (counterfactual); one judge values both', async () => {
  const [synthetic, byModel] = await Promise.all([
    written(heuristic, { score: 1 }),
    written(other, { score: 1 }),
  ]);
  expect(synthetic.learning.metadata).toMatchObject({ compression: 'synthetic' });
  expect(byModel.learning.metadata).not.toHaveProperty('compression');
  for (const { learning } of [synthetic, byModel])
    expect(learning.metadata).toMatchObject({ judged: { probability: learning.confidence } });
});

test('A5: it is indexed like any other note', async () => {
  for (const writer of [heuristic, other]) {
    const { db } = await written(writer);
    expect(searchByWords(db, 'retry payments worker', null, 5)).toHaveLength(1);
  }
});

test('A5: how clearly it was heard decides how sure it is', async () => {
  const [faint, clear] = await Promise.all([
    written(heuristic, { score: 0.3 }),
    written(heuristic, { score: 0.9 }),
  ]);
  expect(clear.learning.confidence).toBeGreaterThan(faint.learning.confidence);
});

test('A5: a moment noticed without reasons still becomes a note, which waits as a candidate', async () => {
  expect((await written(heuristic, { why: [], score: 0 })).learning.status).toBe('candidate');
});
