import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { forget } from './forget.ts';

const said = (text: string, settings = {}) =>
  new SessionEvents().human('Start').agent('ok').human(text).agent('Understood.').noticedToTheEnd(settings);
const retracted = (text: string) =>
  said(text).effects.flatMap((effect) => (effect.sees === 'forget' ? [effect.about] : []));

test.each([
  [
    'Forget what I said about pnpm in this repository, npm is fine now.',
    'pnpm in this repository, npm is fine now.',
  ],
  ['please ignore everything I told you last time about squash merges', 'squash merges'],
  ['Drop the rule about running make fmt before each commit', 'running make fmt before each commit'],
  ['Disregard our naming convention for branches', 'branches'],
  ['The rule about freezing deploys on Fridays no longer applies', 'freezing deploys on fridays'],
  ["you don't have to run the migrations by hand anymore", 'run the migrations by hand'],
  ['we no longer need to regenerate the proto clients', 'regenerate the proto clients'],
])('%s', (text, about) => {
  expect(retracted(text)).toEqual([about]);
});

test.each([
  'forget it',
  'never mind, ignore that',
  'I forgot to say: always use pnpm',
  'Do not forget what I said about the tests',
  'Ignore the failing test in api.spec.ts',
  'we do not need to rush',
  'Add a rule about trailing commas to the linter',
  'drop the column about prices',
  `${'x '.repeat(300)} forget what I said about pnpm`,
])('takes nothing back: %s', (text) => {
  expect(retracted(text)).toEqual([]);
});

test('what only retracts a lesson teaches none; what also says what to do instead may', () => {
  expect(said('Forget what I said about always using pnpm, you must never have to use it').moments).toEqual(
    [],
  );
  expect(said('Forget what I said about pnpm. Always use npm from now on, never pnpm').moments).toHaveLength(
    1,
  );
});

test('switched off, nothing is retracted', () => {
  expect(
    said('Forget what I said about pnpm', { [forget.switch.name]: false }).effects.filter(
      ({ sees }) => sees === 'forget',
    ),
  ).toEqual([]);
});
