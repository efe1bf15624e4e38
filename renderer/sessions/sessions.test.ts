import { expect, test } from 'vitest';
import type { Moment as CapturedMoment } from '#contract/capture.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { SessionsState } from './sessions.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

const moment = (id: number, session: string): CapturedMoment => ({
  id,
  signal: 'correction',
  agent: 'claude-code',
  session,
  transcript: '',
  project: '',
  branch: null,
  at: id,
  quote: 'no, use tabs',
  why: ['said no'],
  state: 'kept',
  error: '',
  learningId: 'use-tabs',
});

function world(refuses = false) {
  const moments = [moment(3, 'b'), moment(2, 'a'), moment(1, 'a')];
  const summary = (session: string) => ({
    session,
    agent: 'codex',
    project: '',
    firstAt: 1,
    lastAt: 2,
    moments: 1,
    kept: 1,
    candidates: 0,
    given: 1,
    troubles: 1,
    well: 1,
    badly: 0,
  });
  const call = async (method: string, { session }: { session?: string }) => {
    if (method === 'capture.moments')
      return moments.filter((one) => session === undefined || one.session === session);
    if (method === 'sessions.list') return ['b', 'a'].map(summary);
    if (method === 'uses.list')
      return [
        {
          session,
          learningId: 'use-tabs',
          title: 'Use tabs',
          via: 'start',
          firstAt: 1,
          at: 1,
          agent: 'codex',
          project: '',
          outcome: 'pass',
        },
      ];
    if (method === 'capture.troubles')
      return [{ session, kind: 'loop', detail: 'the same call 3 times: Read a.ts', at: 1 }];
    if (refuses) throw new DaemonError('unreachable');
    return { ok: true };
  };
  return new SessionsState(new Queries(call as unknown as Call));
}

test('a session tells what it was given and what was noticed in it', async () => {
  const screen = world();
  await screen.load();
  screen.show('sessions');
  screen.select('a');
  await expect
    .poll(() => screen.given.value)
    .toMatchObject([{ session: 'a', learningId: 'use-tabs', outcome: 'pass' }]);
  expect(screen.noticed.value?.map(({ id }) => id)).toEqual([2, 1]);
  expect(screen.troubles.value).toMatchObject([{ session: 'a', kind: 'loop' }]);
  expect(screen.selectedSession?.given).toBe(1);
  screen.move(-1);
  expect(screen.selectedKey).toBe('b');
  screen.turn(1);
  expect([screen.tab, screen.selectedKey]).toEqual(['moments', '3']);
});

test('dismissing shows at once and moves on', async () => {
  const screen = world();
  await screen.load();
  const dismissing = screen.dismiss();
  expect(screen.moments.value?.[0]?.state).toBe('dismissed');
  expect(screen.selectedMoment?.id).toBe(2);
  await expect(dismissing).resolves.toMatchObject({ id: 3 });
});

test('a refused dismissal comes back', async () => {
  const screen = world(true);
  await screen.load();
  await expect(screen.dismiss()).rejects.toMatchObject({ code: 'unreachable' });
  expect(screen.moments.value?.[0]?.state).toBe('kept');
  expect(screen.selectedMoment?.id).toBe(3);
});
