import { expect, onTestFinished, test, vi } from 'vitest';
import { HOUR } from '../platform/time.ts';
import { rotateRepeatedly, Tokens } from './token.ts';

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

test('every twelve hours the token is another one, and the one before is accepted for an hour more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const tokens = new Tokens(Date.now);
  const first = tokens.current;
  const rotating = rotateRepeatedly(
    (graceMs) => tokens.rotate(graceMs),
    (error) => expect.fail(String(error)),
  );
  await vi.advanceTimersByTimeAsync(12 * HOUR);
  expect(tokens.current).not.toBe(first);
  expect(tokens.allows(first)).toBe(true);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(tokens.allows(first)).toBe(false);
  await rotating.stop();
});
