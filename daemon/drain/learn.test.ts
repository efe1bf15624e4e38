import { expect, test } from 'vitest';
import { Lesson } from '#contract/learn.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { EDITED } from '../testing/temp-home.ts';
import { keepLesson } from './learn.ts';
import { drainWorld, withKnobs } from './testing.ts';

const RULE = 'Install packages with pnpm, never with npm';
const LESSON = Lesson.parse({ rule: RULE, cwd: '/shop' });
const PROJECT = { id: 'acme/shop', name: 'shop', root: '', branch: null };

/** A note that capture made of a session, and the lesson that an agent records in this one, which says nearly the same. */
async function recordedAfter(captured: { session: string; edited?: boolean }) {
  const { store, say, drain, moments } = drainWorld();
  say("no, don't use npm here, use pnpm", { transcript: 's1' });
  await drain.run();
  const [moment] = moments();
  const echo = moment?.learningId ?? '';
  if (captured.edited) changeLearning(store, echo, { tags: ['mine'] }, { ...EDITED, actor: 'person' });
  const { title } = getLearning(store.db, echo);
  const kept = await keepLesson(
    {
      store,
      resolve: withKnobs(),
      modes: store.paths.modes,
      preview: async (_note, resolve) => ({
        resolve,
        neighbours: [{ seq: 1, id: echo, title, similarity: 0.95 }],
      }),
    },
    LESSON,
    { project: PROJECT, session: captured.session, agent: 'codex' },
  );
  return { ...kept, echo: getLearning(store.db, echo) };
}

test('a lesson replaces what capture made of the same session', async () => {
  const { outcome, learning, echo } = await recordedAfter({ session: 's1' });
  expect(outcome).toBe('created');
  expect(learning).toMatchObject({ title: RULE, status: 'active' });
  expect(echo).toMatchObject({ status: 'superseded', supersededBy: learning.id });
});

test.each([
  ['another session made it', { session: 's2' }],
  ['a person has edited it', { session: 's1', edited: true }],
])('a person is asked where %s', async (_name, captured) => {
  const { outcome, learning, echo } = await recordedAfter(captured);
  expect(outcome).toBe('held');
  expect([learning.status, echo.status]).toEqual(['proposed', 'active']);
});
