import { expect, test } from 'vitest';
import type { Window as CapturedWindow } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { SessionsState } from './sessions.svelte.ts';

const moment = (id: number, session: string): CapturedWindow => ({
  id, signal: 'correction', agent: 'claude-code', session, transcript: '', project: '', branch: null, at: id, quote: 'no, use tabs', why: ['said no'],
  state: 'kept', error: '', learningId: 'use-tabs',
});

function world(refuses = false) {
  const call = async (method: string) => {
    if (method === 'capture.windows') return [moment(3, 'b'), moment(2, 'a'), moment(1, 'a')];
    if (refuses) throw new DaemonError('unreachable');
    return { ok: true };
  };
  return new SessionsState(call as unknown as Call);
}

test('one session can be looked at alone', async () => {
  const screen = world();
  await screen.load();
  expect(screen.sessions).toEqual(['b', 'a']);
  screen.choose('a');
  expect(screen.shown.map(({ id }) => id)).toEqual([2, 1]);
  expect(screen.selected?.id).toBe(2);
});

test('dismissing shows at once and moves on', async () => {
  const screen = world();
  await screen.load();
  const dismissing = screen.dismiss();
  expect(screen.shown[0]?.state).toBe('dismissed');
  expect(screen.selected?.id).toBe(2);
  await expect(dismissing).resolves.toMatchObject({ id: 3 });
});

test('a refused dismissal comes back', async () => {
  const screen = world(true);
  await screen.load();
  await expect(screen.dismiss()).rejects.toMatchObject({ code: 'unreachable' });
  expect(screen.shown[0]?.state).toBe('kept');
  expect(screen.selected?.id).toBe(3);
});
