import { expect, test } from 'vitest';
import { Tokens } from './token.ts';

test('a rotated token is accepted for an hour more, and the one before it not at all', () => {
  let now = 0;
  const tokens = new Tokens(() => now);
  const first = tokens.current;
  tokens.rotate();
  expect(tokens.current).not.toBe(first);
  expect([tokens.allows(first), tokens.allows(tokens.current), tokens.allows(undefined)]).toEqual([
    true,
    true,
    false,
  ]);
  now = 3_600_000;
  expect(tokens.allows(first)).toBe(false);
  const second = tokens.current;
  tokens.rotate();
  tokens.rotate();
  expect(tokens.allows(second)).toBe(false);
});
