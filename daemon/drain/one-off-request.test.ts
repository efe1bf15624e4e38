import { expect, test } from 'vitest';
import { isOneOffRequest } from './one-off-request.ts';

test.each([
  'Commit and push',
  'Theres a comment on the PR from coderabbit. address it if applicable',
  'Before you go doing that, get back to main, and pull in latest',
  'Does this test really test it?',
  'Fix 3 too',
])('%j means something only in its own session', (title) => {
  expect(isOneOffRequest(title)).toBe(true);
});

test.each([
  'Install packages with pnpm',
  'Run the tests with `mise run test`',
  'Separate logical changes go into separate commits.',
  'Always add a changelog entry',
  'Add a test before every fix',
  'Which database? → PostgreSQL',
])('%j is a lesson if sessions repeat it', (title) => {
  expect(isOneOffRequest(title)).toBe(false);
});
