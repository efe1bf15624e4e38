import { expect, test } from 'vitest';
import { sessionTitle } from './session-title.ts';

test.each([
  ['Fix the flaky cart test\n\nIt fails on CI only.', 'Fix the flaky cart test'],
  ['Please make the import resumable after a crash.\nSee below.', 'Make the import resumable after a crash'],
  ['ok, can you please review the changes in this branch?', 'Review the changes in this branch'],
  ['why does this only work on unix and not windows?', 'Why does this only work on unix and not windows?'],
  ['Hi\n\n# Context:\n- the cart is empty', 'The cart is empty'],
  [
    '```ts\nconst a = 1;\n```\nWhy does **this** not compile in the worker?',
    'Why does this not compile in the worker?',
  ],
  [
    '[Image #1] <note>the header overlaps the list on small screens</note>',
    'The header overlaps the list on small screens',
  ],
  [
    'Implement the following plan:\n\n# Plan: show the version in every checkpoint\n\n## Approach',
    'Show the version in every checkpoint',
  ],
  [
    'when running: \n❯ entire enable\n\n✓ Enabled\n\nshow what else was set up here. A list?',
    'Show what else was set up here',
  ],
  ['You are a senior developer.\n\nlet’s look at docs/plans/phase.md again', 'Look at phase.md again'],
  ['[[ ## user_query ## ]]\n\nWrite FizzBuzz in Python. Return one block.', 'Write FizzBuzz in Python'],
  [
    'investigate why CI failed in https://github.com/acme/shop/pull/7?tab=checks',
    'Investigate why CI failed in shop/pull/7',
  ],
  ['publish to npm failed, https://github.com/acme/shop/actions/runs/27737304307', 'Publish to npm failed'],
  [
    'let us go through the plan in docs/plans/2026-phase.md please',
    'Let us go through the plan in 2026-phase.md',
  ],
  [
    'we changed the target. did we do this properly in /Users/ada/work/shop/cart today?',
    'We changed the target',
  ],
  ['look at this? I expected\nmore', 'Look at this? I expected'],
  ['README.md: the second link of it is dead', 'README.md: the second link of it is dead'],
  ['```\nonly code', ''],
])('%j is titled %j', (request, title) => {
  expect(sessionTitle(request)).toBe(title);
  expect(sessionTitle(title)).toBe(title);
});

test('a long request is cut between two words', () => {
  const title = sessionTitle('word '.repeat(60));
  expect(title).toMatch(/^Word(?: word)+…$/);
  expect(title.length).toBeLessThanOrEqual(80);
});
