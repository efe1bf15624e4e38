import { expect, test } from 'vitest';
import { sessionTitle } from './session-title.ts';

test.each([
  ['Fix the flaky cart test\n\nIt fails on CI only.', 'Fix the flaky cart test It fails on CI only.'],
  [
    'Please make the import resumable after a crash.\nSee below.',
    'Please make the import resumable after a crash.',
  ],
  ['Hi\n\n# Context:\n- the cart is empty', 'Hi Context: the cart is empty'],
  [
    '```ts\nconst a = 1;\n```\nWhy does **this** not compile in the worker?',
    'Why does this not compile in the worker?',
  ],
  [
    '[Image #1] <note>the header overlaps the list on small screens</note>',
    'the header overlaps the list on small screens',
  ],
  [
    'Implement the following plan:\n\n# Plan: show the version in every checkpoint\n\n## Approach',
    'Plan: show the version in every checkpoint',
  ],
  ['```\nonly code', ''],
])('%j is titled %j', (request, title) => {
  expect(sessionTitle(request)).toBe(title);
});

test('a long request is cut between two words', () => {
  const title = sessionTitle('word '.repeat(60));
  expect(title).toMatch(/^(?:word )+word…$/);
  expect(title.length).toBeLessThanOrEqual(121);
});
