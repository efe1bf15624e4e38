import { expect, test } from 'vitest';
import { Lesson } from '#contract/learn.ts';
import { openInference, NO_WEIGHTS } from '../inference/testing.ts';
import { undo } from '../knowledge/revise.ts';
import type { Preview } from '../knowledge/twins.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { chunksOfLearning } from '../store/learnings/lineage.ts';
import { EDITED, tempFolder } from '../testing/temp-home.ts';
import { keepLesson } from './learn.ts';
import { drainWorld, withKnobs } from './testing.ts';

const SAID = 'no, never install packages with npm in this repository, always use pnpm';
const RULE = 'Install packages with pnpm, never with npm';
const PROJECT = { id: 'acme/shop', name: 'shop', root: '', branch: null, trunk: null };

interface Scene {
  rule?: string;
  session?: string;
  /** The bar for notes: above it capture's note is a candidate. */
  bar?: number;
  edited?: boolean;
  models?: boolean;
  near?: boolean;
}

/** Capture has made a note of session s1, and an agent records a lesson. */
async function recorded({ rule = RULE, session = 's1', bar = 0, edited, models, near }: Scene = {}) {
  const { store, say, drain, moments } = drainWorld({ knobs: { REFLECT_LEARNING_BAR: bar } });
  say(SAID, { transcript: 's1' });
  await drain.run();
  const id = moments()[0]?.learningId ?? '';
  if (edited) changeLearning(store, id, { tags: ['mine'] }, { ...EDITED, actor: 'person' });
  const echo = () => getLearning(store.db, id);
  const neighbours = near ? [{ seq: 1, id, title: echo().title, similarity: 0.95 }] : [];
  const preview = async (): Promise<Preview> => ({ resolve: withKnobs(), neighbours });
  const inference = openInference(models ? {} : { modelsDir: tempFolder() });
  if (models) await inference.embedDocument('embedder', rule); // a model is available once it is loaded
  const kept = await keepLesson(
    { store, inference, preview, resolve: withKnobs(), modes: store.paths.modes },
    Lesson.parse({ rule, cwd: '/shop' }),
    { project: PROJECT, session, agent: 'codex' },
  );
  return { ...kept, store, echo };
}

test.each([
  ['a learning', {}],
  ['a candidate', { bar: 1 }],
  ['nearly the same', { near: true }],
])('a lesson takes the place of what capture made of the same moment: %s', async (_name, scene) => {
  const { outcome, learning, echo } = await recorded(scene);
  expect(outcome).toBe('created');
  expect(learning).toMatchObject({ title: RULE, status: 'active' });
  expect(echo()).toMatchObject({ status: 'superseded', supersededBy: learning.id });
});

test('undone, both are as before; the learning leads to the words it came from', async () => {
  const { changeId, learning, echo, store } = await recorded();
  expect(chunksOfLearning(store.db, learning.id)).toHaveLength(1);
  undo(store, changeId, 'person');
  expect(echo().status).toBe('active');
  expect(getLearning(store.db, learning.id).status).toBe('archived');
});

test.each([
  ['another session made it', { session: 's2' }],
  ['a person has edited it', { edited: true }],
  ['it is about something else', { rule: 'Round invoice totals per line, never on the sum' }],
])('a note stays where %s', async (_name, scene) => {
  const { outcome, echo } = await recorded(scene);
  expect(outcome).toBe('created');
  expect(echo().status).toBe('active');
});

test('a person is asked where a note of another session says nearly the same', async () => {
  const { outcome, learning, echo } = await recorded({ session: 's2', near: true });
  expect(outcome).toBe('held');
  expect([learning.status, echo().status]).toEqual(['proposed', 'active']);
});

test.skipIf(NO_WEIGHTS)('by meaning, other words are recognised', async () => {
  const rule = 'Use the pnpm package manager for this project’s dependencies; npm breaks the lockfile';
  expect((await recorded({ rule, models: true })).echo().status).toBe('superseded');
});
