import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Foreground } from './foreground.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Tells, whenever it is asked, if work in the background may go on. */
function passing(foreground: Foreground): () => boolean {
  let hasPassed = false;
  void foreground.pass().then(() => (hasPassed = true));
  return () => hasPassed;
}

test('work in the background goes on at once while nobody waits', async () => {
  const hasPassed = passing(new Foreground());
  await vi.advanceTimersByTimeAsync(0);
  expect(hasPassed()).toBe(true);
});

test('it waits for a request that is being answered, and a moment longer', async () => {
  const foreground = new Foreground();
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = foreground.enter(() => promise);
  const hasPassed = passing(foreground);
  await vi.advanceTimersByTimeAsync(30);
  expect(hasPassed()).toBe(false);
  resolve('answer');
  expect(await answer).toBe('answer');
  await vi.advanceTimersByTimeAsync(10);
  expect(hasPassed()).toBe(false); // the next request is most likely now
  await vi.advanceTimersByTimeAsync(50);
  expect(hasPassed()).toBe(true);
});

test('it goes on after a while, however many requests there are, and a request that fails counts as answered', async () => {
  const foreground = new Foreground();
  void foreground.enter(() => new Promise(() => {}));
  const hasPassed = passing(foreground);
  await vi.advanceTimersByTimeAsync(500);
  expect(hasPassed()).toBe(true);
  const failing = new Foreground();
  await expect(failing.enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const afterFailure = passing(failing);
  await vi.advanceTimersByTimeAsync(60);
  expect(afterFailure()).toBe(true);
});
