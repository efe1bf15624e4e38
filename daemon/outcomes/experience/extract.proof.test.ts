import { expect, test } from 'vitest';
import type { AskModel } from '../../drain/writer.ts';
import { withKnobs } from '../../drain/testing.ts';
import { modelServer, writerWorld } from '../../drain/writers/llm/testing.ts';
import { learn } from '../../knowledge/revise.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import { ingestCaptured } from '../../testing/captured.ts';
import { SessionEvents } from '../../testing/session-events.ts';
import { tempStore } from '../../testing/temp-home.ts';
import { toExperience } from './experience.ts';
import { extractExperiences } from './extract.ts';

const CAUSE = '`sumOf` in totals.ts fails for an empty list because `reduce` requires an initial value';
const work = () =>
  new SessionEvents()
    .human('Make the totals test of the shop pass again')
    .runs('npm test', 'FAIL totals\nError: expected 3 to be 4', { failed: true })
    .agent(`Found the root cause. So ${CAUSE}.`)
    .edits('totals.ts')
    .runs('npm test', '1 passed')
    .agent('Done.')
    .human('What is your name?')
    .agent('An agent.')
    .human('Rename the module and build everything once more')
    .runs('git mv a b', '')
    .runs('npm run build', 'built')
    .agent('I renamed it.')
    .human('yes do')
    .runs('npm test', 'Error: no totals', { failed: true })
    .agent('The issue is that `npm test` requires the database, because totals.ts reads from it.');

const noModel: AskModel = () => Promise.resolve(null);

async function experiencesOf(
  settings: object,
  ask = noModel,
  store = tempStore(),
  { session = work(), since = 0 } = {},
) {
  ingestCaptured(store, session.noticedToTheEnd({ ...settings }));
  const keep = (note: Parameters<typeof learn>[1], reason: string) => learn(store, note, reason, 'test');
  const parts = { store, keep, resolver: () => withKnobs({}), ask, since };
  const [taken, again] = [await extractExperiences(parts), await extractExperiences(parts)];
  return { taken, again, experiences: learningsOfType(store.db, { type: 'experience' }).map(toExperience) };
}

test('an experience is tagged with what its task names, not with the words around it or the folders a file is in', async () => {
  const session = new SessionEvents()
    .human('Make the test in /home/ann/shop/totals.test.ts of the shop pass again')
    .runs('npm test', 'FAIL totals', { failed: true })
    .agent(`Found the root cause. So ${CAUSE}.`)
    .runs('npm test', '1 passed')
    .agent('Done.');
  const { experiences } = await experiencesOf({}, noModel, tempStore(), { session });
  expect(experiences[0]?.keywords).toEqual(expect.arrayContaining(['sumof', 'totals.test.ts']));
  expect(experiences[0]?.keywords).not.toContain('ann');
  expect(experiences[0]?.keywords).not.toContain('pass');
});

test('a task whose cause was found becomes one experience; smooth work, talk and nods do not, and with the signal off nothing does', async () => {
  const { taken, again, experiences } = await experiencesOf({});
  expect([taken, again]).toEqual([1, 0]);
  expect(experiences).toMatchObject([
    {
      task: 'Make the totals test of the shop pass again',
      outcome: 'success',
      category: 'testing',
      quality: 4,
      project: 'github.com/acme/shop',
      lessons: CAUSE,
      trace: expect.stringContaining('`npm test` (failed)') as string,
    },
  ]);
  expect(experiences[0]?.keywords).toEqual(expect.arrayContaining(['sumof', 'reduce']));
  expect((await experiencesOf({ REFLECT_SIGNAL_EXPERIENCE: false })).experiences).toEqual([]);
});

test('the model of the writer words experiences of today and drops what taught nothing', async () => {
  const lessons = 'Totals of an empty list fail in totals.ts; give the reducer an initial value.';
  const server = await modelServer(
    { says: JSON.stringify({ lessons, category: 'coding', quality: 5, keywords: ['reduce'] }) },
    { says: '{"skip": true}' },
  );
  const store = tempStore();
  store.tick(Date.UTC(2026, 5, 1, 12) - store.now()); // the day of the session
  const { writer } = writerWorld({
    store,
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1` },
  });
  const { experiences } = await experiencesOf({}, writer.ask, store);
  expect(server.prompts()[0]).toMatch(/Make the totals test[^]*FAIL totals[^]*initial value/);
  expect(experiences).toMatchObject([{ lessons, category: 'coding', quality: 5, keywords: ['reduce'] }]);
  expect(server.prompts()).toHaveLength(3); // the build and the failure after a nod taught nothing
});

test('of work from before the first start only a lesson that the work confirmed is kept, as sure as the judge is', async () => {
  const since = Date.UTC(2026, 6, 1); // after the session
  const unconfirmed = () =>
    new SessionEvents()
      .human('Make the totals test of the shop pass again')
      .runs('npm test', 'FAIL totals\nError: expected 3 to be 4', { failed: true })
      .agent(`Found the root cause. ${CAUSE}.`)
      .edits('totals.ts')
      .agent('Done.');
  const store = tempStore();
  expect((await experiencesOf({}, noModel, store, { since })).taken).toBe(1);
  const [kept] = learningsOfType(store.db, { type: 'experience' });
  expect(kept?.confidence).toBeGreaterThanOrEqual(0.4);
  expect(kept?.confidence).not.toBe(0.6); // what a note has that nobody judged
  expect((await experiencesOf({}, noModel, tempStore(), { session: unconfirmed(), since })).taken).toBe(0);
  expect((await experiencesOf({}, noModel, tempStore(), { session: unconfirmed() })).taken).toBe(1);
});

test('the number of calls that make a task is a setting', () => {
  const tasks = (calls: number) =>
    work()
      .noticedToTheEnd({ REFLECT_EXPERIENCE_TOOL_CALLS: calls })
      .effects.flatMap((effect) => (effect.sees === 'experience' ? effect.task : []));
  expect(tasks(2)).toHaveLength(3);
  expect(tasks(9)).toEqual(['Make the totals test of the shop pass again', 'yes do']); // both met an error
});
