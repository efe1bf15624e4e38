import { expect, test } from 'vitest';
import type { Learning } from '#contract/entities.ts';
import { findLearning, noteOf } from '../../store/learnings/learnings.ts';
import { searchByWords } from '../../store/search/words.ts';
import { drainWorld } from '../testing.ts';
import { engineering } from '../modes/engineering.ts';
import { problemsOf } from '../validation.ts';
import type { Writer } from '../writer.ts';
import { heuristic } from './heuristic.ts';

const WORDS = "no, don't retry payments in the worker, the gateway does it";

/** Stands for a model of the user's choice. */
const other: Writer = {
  name: 'other',
  write: () =>
    Promise.resolve({
      title: 'The gateway retries payments',
      category: 'architecture',
      type: 'correction',
      tags: ['payments'],
      confidence: 0.9,
      body: 'Never retry payments in the worker.',
    }),
};

async function written(writer: Writer, moment = {}) {
  const world = drainWorld({ writer });
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

test('A5: it says that no model wrote it and is never surest; a note by a model is neither (counterfactual)', async () => {
  const [synthetic, byModel] = await Promise.all([
    written(heuristic, { score: 1 }),
    written(other, { score: 1 }),
  ]);
  expect(synthetic.learning.metadata).toMatchObject({ compression: 'synthetic' });
  expect(synthetic.learning.confidence).toBeLessThan(0.8);
  expect(byModel.learning.metadata).not.toHaveProperty('compression');
  expect(byModel.learning.confidence).toBe(0.9);
});

test('A5: it is indexed like any other note', async () => {
  for (const writer of [heuristic, other]) {
    const { db } = await written(writer);
    expect(searchByWords(db, 'retry payments worker', null, 5)).toHaveLength(1);
  }
});

test('A5: what bore it out decides how sure it is', async () => {
  const [heard, agreed] = await Promise.all([
    written(heuristic, { score: 0.5, cues: ['prohibition'] }),
    written(heuristic, { score: 0.5, cues: ['agent-agreed'] }),
  ]);
  expect(agreed.learning.confidence).toBeGreaterThan(heard.learning.confidence);
});

test('A5: a moment noticed without reasons still becomes a note', async () => {
  expect((await written(heuristic, { why: [], score: 0 })).learning.status).toBe('active');
});
