import { expect, test } from 'vitest';
import { typedPart } from './speech.ts';

test.each([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
  '/exit',
  '<session_context>\nThis is the Gemini CLI.\n</session_context>',
  'Operation stopped by hook: lint',
])('%s was not typed by a person', (message) => {
  expect(typedPart(message)).toBe('');
});

test('what a person typed is left, without what the harness added', () => {
  expect(typedPart('Use pnpm here <system-reminder>be brief</system-reminder>')).toBe('Use pnpm here');
  expect(typedPart('<hook_context>Learned earlier: use npm</hook_context>\n\nUse pnpm here')).toBe(
    'Use pnpm here',
  );
});
