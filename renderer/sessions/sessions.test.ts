import { expect, test } from 'vitest';
import type { Moment } from '#contract/capture.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import type { SessionSummary } from '#contract/sessions.ts';
import { Queries } from '../query/queries.svelte.ts';
import { choicesIn, EVERY_SESSION, filterSessions } from './filter.ts';
import { SessionsState } from './sessions.svelte.ts';

const moment = (id: number, session: string, change: Partial<Moment> = {}): Moment => ({
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
  learningId: `from-${id}`,
  ...change,
});

const summary = (session: string, change: Partial<SessionSummary> = {}): SessionSummary => ({
  session,
  title: `Request of ${session}`,
  live: false,
  agent: 'codex',
  project: 'github.com/acme/shop',
  firstAt: 1,
  lastAt: 2,
  moments: 1,
  kept: 1,
  candidates: 0,
  injected: 1,
  troubles: 1,
  well: 1,
  badly: 0,
  ...change,
});

function world(refuses = false) {
  const moments = [
    moment(3, 'b'),
    moment(2, 'a'),
    moment(1, 'a', { state: 'candidate' }),
    moment(0, 'a', { state: 'candidate' }),
  ];
  const asked: [string, object][] = [];
  const call = async (method: string, input: { session?: string }) => {
    const { session } = input;
    asked.push([method, input]);
    if (method === 'capture.moments')
      return moments.filter((one) => session === undefined || one.session === session);
    if (method === 'sessions.list') return ['b', 'a'].map((id) => summary(id));
    if (method === 'uses.list') return [{ session, learningId: 'use-tabs' }];
    if (method === 'capture.troubles') return [{ session, kind: 'loop', detail: 'Read a.ts', at: 1 }];
    if (refuses) throw new DaemonError('unreachable');
    return { ok: true, changeId: 7 };
  };
  return { asked, screen: new SessionsState(new Queries(call as unknown as Call)) };
}

const opened = async (refuses = false) => {
  const { screen, asked } = world(refuses);
  await screen.load();
  screen.select('a');
  await expect.poll(() => screen.moments.value?.[0]?.session).toBe('a');
  return { screen, asked };
};

test('a session shows what was captured from it and injected into it', async () => {
  const { screen } = await opened();
  await expect.poll(() => screen.uses.value).toMatchObject([{ session: 'a', learningId: 'use-tabs' }]);
  expect(screen.moments.value?.map(({ id }) => id)).toEqual([2, 1, 0]);
  expect(screen.troubles.value).toMatchObject([{ session: 'a', kind: 'loop' }]);
  screen.move(-1);
  expect(screen.selectedId).toBe('b');
  screen.move(-1);
  expect(screen.selectedId).toBe('b');
});

test('the first moment that waits is current; one decision leads to the next', async () => {
  const { screen, asked } = await opened();
  expect(screen.moment?.id).toBe(1);
  expect(await screen.keep()).toBe(7);
  expect(asked).toContainEqual(['candidates.keep', { ids: ['from-1'] }]);
  expect(screen.moments.value?.find(({ id }) => id === 1)?.state).toBe('kept');
  expect(screen.moment?.id).toBe(0);
  const stateOfLast = () => screen.moments.value?.find(({ id }) => id === 0)?.state;
  const dismissed = await screen.dismiss();
  expect([dismissed?.moment.id, stateOfLast()]).toEqual([0, 'dismissed']);
  await dismissed?.undo();
  expect(asked).toContainEqual(['capture.dismiss', { id: 0, dismissed: false }]);
  expect(stateOfLast()).toBe('candidate');
});

test('a key that comes before the moments acts on this session, never on the one before it', async () => {
  const { screen, asked } = world();
  await screen.load();
  expect(screen.moment?.session).toBe('b');
  screen.select('a');
  expect(screen.moment).toBeUndefined();
  const early = screen.dismiss();
  screen.select('b');
  await expect(early).resolves.toBeNull();

  screen.select('a');
  await expect(screen.dismiss()).resolves.toMatchObject({ moment: { id: 1, session: 'a' } });
  expect(asked).toContainEqual(['capture.dismiss', { id: 1 }]);
});

test('until the moments have loaded, the list tells what a key can do', async () => {
  const { screen } = world();
  await screen.load();
  screen.select('a');
  expect([screen.hasMoments, screen.canOpen, screen.canDismiss, screen.canKeep]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  await screen.loadedMoment();
  expect(screen.canKeep).toBe(true);
});

test('a refused dismissal comes back', async () => {
  const { screen } = await opened(true);
  await expect(screen.dismiss()).rejects.toMatchObject({ code: 'unreachable' });
  expect(screen.moment).toMatchObject({ id: 1, state: 'candidate' });
});

test('a link to a learning’s session leads to the moment it came from', async () => {
  const { screen } = world();
  screen.place.open({ page: 'sessions', id: 'a', query: { learning: 'from-2' } });
  await screen.load();
  expect([screen.selectedId, screen.moment?.id]).toEqual(['a', 2]);
  await screen.moveMoment(1);
  expect(screen.moment?.id).toBe(1);
});

test('sessions are found by words of their request, their agent and their project', () => {
  const sessions = [
    summary('1', { title: 'Fix the gRPC deadline' }),
    summary('2', { agent: 'claude-code' }),
    summary('3', { project: 'github.com/acme/edge' }),
  ];
  const found = (filter: object) =>
    filterSessions(sessions, { ...EVERY_SESSION, ...filter }).map(({ session }) => session);
  expect(found({ text: 'deadline grpc' })).toEqual(['1']);
  expect(found({ text: 'edge' })).toEqual(['3']);
  expect(found({ agent: 'claude-code' })).toEqual(['2']);
  expect(found({ project: 'github.com/acme/shop', text: 'request' })).toEqual(['2']);
  expect(choicesIn(sessions, 'agent')).toEqual([
    { value: 'codex', count: 2 },
    { value: 'claude-code', count: 1 },
  ]);
});
