import { expect, test } from 'vitest';
import { statedFacts } from './stated-facts.ts';

test.each([
  ['I prefer dark mode.', 'preference'],
  ['Fix the header. We prefer composition over inheritance!', 'preference'],
  ['The API uses OAuth2', 'project'],
  ['We deploy to Fly.io from the release branch.', 'project'],
  ['Our payment service is written in Go', 'project'],
  ['Alice is the project lead', 'personal'],
  ['My time zone is Europe/Rome', 'personal'],
])('“%s” states a fact', (said, category) => {
  expect(statedFacts([said])).toMatchObject([{ category }]);
});

test.each([
  'I prefer it that way',
  'I prefer dark mode, but the toggle is broken now',
  'We use the same helper again',
  'Do you know whether the API uses OAuth2?',
  'The API uses OAuth2 and fails with a 401',
  'This leads to worse decisions',
  'Please use pnpm',
  'Use tabs',
])('“%s” does not', (said) => {
  expect(statedFacts([said])).toEqual([]);
});

test('a fact that is said twice is one', () => {
  expect(statedFacts(['The API uses OAuth2.', 'the API uses OAuth2'])).toHaveLength(1);
});

test('facts said in passing are stated too, each for itself', () => {
  const said =
    'Write the migration. By the way, Alice is the project lead and I prefer dark mode in screenshots';
  expect(statedFacts([said]).map(({ text }) => text)).toEqual([
    'Alice is the project lead',
    'I prefer dark mode in screenshots',
  ]);
});
