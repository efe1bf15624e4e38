import { expect, test, vi } from 'vitest';
import type { TrayView } from './tray-state.ts';
import { watchStatus } from './watch-status.ts';

test('an answer that comes after the app has quit is shown nowhere', async () => {
  vi.useFakeTimers();
  let happened = () => {};
  let answer = () => {};
  const shown: TrayView[] = [];
  const stop = watchStatus(
    {
      connected: true,
      problem: null,
      send: () => new Promise((_, reject) => (answer = () => reject(new Error('gone')))),
      onEvent: (listener) => ((happened = listener as () => void), () => undefined),
      onLink: () => () => undefined,
    },
    (view) => shown.push(view),
  );
  happened();
  await vi.runAllTimersAsync();
  stop();
  answer();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(shown).toHaveLength(1);
});
