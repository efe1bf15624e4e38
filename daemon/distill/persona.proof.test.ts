import { expect, test } from 'vitest';
import type { ObservationAction } from '#contract/distill.ts';
import { withKnobs } from '../drain/testing.ts';
import { personaOf } from '../store/distill/persona.ts';
import { world as recallWorld } from '../testing/world.ts';
import { reviseObservations } from './observation-actions.ts';
import { fieldIn } from '../knowledge/attributes.ts';
import { personaFields } from './persona.ts';
import { SHOP, world } from './testing.ts';

const QUESTION = 'what testing style does this project use?';
const preferTdd = (times: number, from = 0): ObservationAction => ({
  action: 'CREATE',
  content: 'Prefer TDD',
  project: SHOP,
  category: 'testing',
  ids: Array.from({ length: times }, (_, index) => `s${from + index}`),
  learnings: [],
  reason: '',
});

/** Ten sessions in which somebody was told to prefer TDD, and somebody who asks. */
async function told(times: number, knobs: Parameters<typeof withKnobs>[0] = {}) {
  const { store, recall } = await recallWorld([
    { title: 'Testing style guide lives in docs', project: SHOP },
  ]);
  const act = (...actions: ObservationAction[]) =>
    reviseObservations(store, actions, 'test', withKnobs(knobs));
  for (let time = 0; time < times; time++) act(preferTdd(1, time));
  return {
    act,
    facts: () => personaOf(store.db, SHOP),
    ask: async (query = QUESTION) => (await recall({ query, project: SHOP })).answer,
  };
}

test('O3: ten times "prefer TDD" make a confident testing style, which answers the question directly', async () => {
  const { facts, ask } = await told(10);
  expect(facts()).toMatchObject([{ field: 'testing_style', value: 'TDD', confidence: 10 / 12 }]);
  expect(await ask()).toEqual({ field: 'testing_style', text: 'TDD' });
  expect(await ask('how do we usually deploy?')).toBeNull();
});

test('O3: with the port off there is no fact, and nothing answers directly', async () => {
  const { facts, ask } = await told(10, { [personaFields.switch.name]: false });
  expect(facts()).toEqual([]);
  expect(await ask()).toBeNull();
});

test('O3: little evidence does not answer directly; the knob says how much is enough', async () => {
  const { facts, ask } = await told(9);
  expect(facts()).toMatchObject([{ confidence: 0.75 }]);
  expect(await ask()).toBeNull();
  expect((await told(5, { REFLECT_PERSONA_EVIDENCE: 5 })).facts()).toMatchObject([{ confidence: 1 }]);
});

test('O3: more evidence updates the same row; the same evidence again changes nothing', async () => {
  const { act, facts } = await told(10);
  act(preferTdd(3, 9));
  expect(facts()).toMatchObject([{ field: 'testing_style', confidence: 1 }]);
  const before = facts();
  expect(act(preferTdd(12))).toMatchObject({ skipped: 1 });
  expect(facts()).toEqual(before);
});

test('O3: a conflicting observation lowers the confidence; a retired one does not count', async () => {
  const { act, facts } = await told(12);
  const {
    createdIds: [id = ''],
  } = act({ ...preferTdd(6, 100), content: 'Prefer BDD', project: SHOP } as ObservationAction);
  expect(facts()).toMatchObject([{ value: 'TDD', confidence: 0.5 }]);
  act({ action: 'DELETE', targetId: id, reason: '' });
  expect(facts()).toMatchObject([{ value: 'TDD', confidence: 1 }]);
});

test('O3: an agent may name its own field', async () => {
  const { act, facts, ask } = await told(0);
  act({
    ...preferTdd(12),
    content: 'We deploy on Tuesdays',
    field: 'deploy_day',
    value: 'Tuesday',
  } as ObservationAction);
  expect(facts()).toMatchObject([{ field: 'deploy_day', value: 'Tuesday', confidence: 1 }]);
  expect(await ask('on which day does the team usually deploy?')).toEqual({
    field: 'deploy_day',
    text: 'Tuesday',
  });
});

test('O3: corrections of ten sessions become a fact by themselves', async () => {
  const w = world();
  for (let session = 0; session < 10; session++)
    w.learn({
      title: `Prefer TDD in module m${session}`,
      type: 'preference',
      provenance: { session: `s${session}` },
    });
  await w.distiller.run();
  expect(personaOf(w.db, SHOP)).toMatchObject([
    { field: 'testing_style', value: 'TDD', confidence: 10 / 12 },
  ]);
});

test.each([
  ['Use pnpm, never npm', 'package_manager=pnpm'],
  ["Don't use npm; use pnpm", 'package_manager=pnpm'],
  ['Use vitest instead of jest', 'test_runner=vitest'],
  ['Never use yarn', null],
  ['Indent with two spaces, not tabs', 'indentation_style=spaces'],
  ['npm and pnpm both work', null],
  ['Prefer pytest over unittest for new code', 'test_runner=pytest'],
  ['Name files in kebab-case', 'naming_style=kebab-case'],
  ['Keep the README short', null],
])('O3: “%s” says %s', (content, expected) => {
  const read = fieldIn(content);
  expect(read && `${read.field}=${read.value}`).toBe(expected);
});
