import { expect, test } from 'vitest';
import type { ToolCall } from './event-kinds.ts';
import { commitMessageOf } from './commit-message.ts';

const call = (command: string) => ({ tool: 'Bash', input: JSON.stringify({ command }) }) as ToolCall;

test('the message of a commit is read from its arguments', () => {
  expect(
    commitMessageOf(call('git add . && git commit -m "fix(cart): round half up" -m "Cents stay integers."')),
  ).toBe('fix(cart): round half up\n\nCents stay integers.');
});

test('a message in a here document is read without the lines that say who wrote it', () => {
  const command = `git commit -m "$(cat <<'EOF'\nRound half up\n\nCents stay integers.\n\nCo-Authored-By: An Agent <a@b.c>\nEOF\n)" && git push`;
  expect(commitMessageOf(call(command))).toBe('Round half up\n\nCents stay integers.');
});

test('what makes no commit has no message', () => {
  expect(commitMessageOf(call('git log -m "x"'))).toBe('');
  expect(commitMessageOf(call('git commit --amend --no-edit'))).toBe('');
});
