import { expect, test } from 'vitest';
import type { Send } from '#contract/methods.ts';
import type { DaemonEvent } from '#contract/status.ts';
import { askAboutChanges } from './confirmations.ts';

const ASKED: DaemonEvent = { type: 'confirmation.asked', id: 'a', change: 'the writer to "codex"' };

/** The app beside a daemon whose question is open or not, and a person who presses this button. */
async function answersOf(isOpen: boolean, button: number): Promise<unknown[]> {
  const [sent, shown]: [unknown[], string[]] = [[], []];
  const send: Send = (_method, input) => {
    sent.push((input as { answer: string }).answer);
    return Promise.resolve(isOpen ? { ok: true, value: { ok: true } } : { ok: false, code: 'not-found' });
  };
  let tell = (_event: DaemonEvent) => {};
  const show = ({ detail = '' }) => {
    shown.push(detail);
    return Promise.resolve({ response: button });
  };
  askAboutChanges({ send, onEvent: (listener) => ((tell = listener), () => true) }, show);
  tell({ type: 'inbox.changed' });
  tell(ASKED);
  await expect.poll(() => sent.length).toBe(isOpen ? 2 : 1);
  expect(shown.filter((detail) => detail.includes('the writer to "codex"'))).toHaveLength(isOpen ? 1 : 0);
  return sent;
}

test('the person decides about a change from a browser, and the button under the finger refuses', async () => {
  expect(await answersOf(true, 1)).toEqual(['asking', 'allow']);
  expect(await answersOf(true, 0)).toEqual(['asking', 'refuse']);
});

test('a question that is no longer open is not shown', async () => {
  expect(await answersOf(false, 1)).toEqual(['asking']);
});
