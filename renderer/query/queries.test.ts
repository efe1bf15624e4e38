import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { Queries } from './queries.svelte.ts';

const changed = (id: string): ClientEvent => ({ type: 'learning.changed', id, kind: 'update' });

/** A daemon that answers when told to, and counts what it is asked. */
function world() {
  const asked: { method: string; input: Record<string, unknown>; answer: (value: unknown) => void }[] = [];
  let slow = false;
  let version = 0;
  const call = (method: string, input: Record<string, unknown>) =>
    new Promise((resolve) => {
      asked.push({ method, input, answer: resolve });
      if (!slow) resolve([`${method} ${++version}`]);
    });
  return { queries: new Queries(call as unknown as Call), asked, slowDown: () => (slow = true) };
}

beforeEach(() => void vi.useFakeTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a query', () => {
  test('is asked once while several screens wait for it, whatever the order of its fields', async () => {
    const { queries, asked } = world();
    const [one, two] = [queries.scope('a'), queries.scope('b')].map((scope) =>
      scope.resource('capture.moments'),
    );
    await Promise.all([
      one?.ask({ limit: 5, session: 's' }),
      two?.ask({ session: 's', limit: 5 }),
      queries.fetch('capture.moments', { limit: 5, session: 's' }),
    ]);
    expect(asked).toHaveLength(1);
    expect(two?.value).toEqual(one?.value);
  });

  test('with another input shows the answer before it until its own is here', async () => {
    const { queries, asked, slowDown } = world();
    const resource = queries.scope('a').resource('capture.moments');
    await resource.ask({ limit: 1 });
    slowDown();
    const asking = resource.ask({ limit: 2 });
    expect(resource.value).toEqual(['capture.moments 1']);
    asked[1]?.answer(['two']);
    await asking;
    expect(resource.value).toEqual(['two']);
    resource.show({ limit: 1 });
    expect([resource.value, asked.length]).toEqual([['capture.moments 1'], 2]);
  });

  test('an answer that was under way when something changed is followed by a newer one', async () => {
    const { queries, asked, slowDown } = world();
    const resource = queries.scope('a').resource('slots.list');
    slowDown();
    void resource.ask({});
    const fresh = resource.refetch();
    void resource.refetch();
    expect(asked).toHaveLength(1);
    asked[0]?.answer(['old']);
    await pass(0);
    expect(asked).toHaveLength(2);
    asked[1]?.answer(['new']);
    await fresh;
    expect(resource.value).toEqual(['new']);
    expect(asked).toHaveLength(2);
  });

  test('a refusal keeps the last answer and tells', async () => {
    let fails = false;
    const queries = new Queries((async () => {
      if (fails) throw new Error('no answer');
      return ['kept'];
    }) as unknown as Call);
    const resource = queries.scope('a').resource('slots.list');
    await resource.ask({});
    fails = true;
    await resource.refetch();
    expect([resource.value, resource.error?.message]).toEqual([['kept'], 'no answer']);
  });
});

describe('an event', () => {
  test('refetches what it makes stale, once for a burst, and nothing else', async () => {
    const { queries, asked } = world();
    const scope = queries.scope('a', 100);
    await scope.resource('slots.list').ask({});
    await scope.resource('config.list').ask({});
    for (let count = 0; count < 5; count++)
      queries.onEvent({ type: 'slots.changed', project: '', name: 'x' });
    await pass(200);
    expect(asked.map(({ method }) => method)).toEqual(['slots.list', 'config.list', 'slots.list']);
  });

  test('about one learning leaves the others alone', async () => {
    const { queries, asked } = world();
    const scope = queries.scope('a');
    await scope.resource('learnings.get').ask({ id: 'one' });
    queries.onEvent(changed('another'));
    await pass(1_000);
    expect(asked).toHaveLength(1);
    queries.onEvent(changed('one'));
    await pass(1_000);
    expect(asked).toHaveLength(2);
  });

  test('that never stops coming cannot hold a refresh back for long', async () => {
    const { queries, asked } = world();
    await queries.scope('a', 500).resource('slots.list').ask({});
    for (let count = 0; count < 10; count++) {
      queries.onEvent({ type: 'slots.changed', project: '', name: 'x' });
      await pass(400);
    }
    expect(asked.length).toBeGreaterThan(1);
  });

  test('on a hidden screen waits until the screen is shown', async () => {
    const { queries, asked } = world();
    const hidden = queries.scope('hidden').resource('slots.list');
    const reload = vi.fn(async () => {});
    queries.scope('hidden').listing('learnings.list', reload);
    await hidden.ask({});
    queries.show('other');
    queries.onEvent({ type: 'reconnected' });
    await pass(5_000);
    expect([asked.length, reload.mock.calls.length]).toEqual([1, 0]);
    queries.show('hidden');
    await pass(0);
    expect([asked.length, reload.mock.calls.length]).toEqual([2, 1]);
    queries.show('hidden');
    await pass(0);
    expect(asked).toHaveLength(2);
  });
});

describe('a change shown before it is confirmed', () => {
  const drop = (name: string) => (list: unknown) => (list as string[]).filter((item) => item !== name);

  async function listOf(...items: string[]) {
    const made = world();
    const resource = made.queries.scope('a').resource('slots.list');
    made.slowDown();
    const asking = resource.ask({});
    made.asked[0]?.answer(items);
    await asking;
    return { ...made, resource };
  }

  test('stays while an answer arrives that was asked for before', async () => {
    const { resource, asked } = await listOf('a', 'b');
    const late = resource.ask({});
    const work = Promise.withResolvers<null>();
    const changing = resource.change(drop('a') as never, () => work.promise);
    expect(resource.value).toEqual(['b']);
    asked[1]?.answer(['a', 'b']);
    await late;
    expect(resource.value).toEqual(['b']);
    work.resolve(null);
    await changing;
    const fresh = resource.refetch();
    asked[2]?.answer(['a', 'b', 'c']);
    await fresh;
    expect(resource.value).toEqual(['a', 'b', 'c']);
  });

  test('a rollback keeps the refresh that came meanwhile', async () => {
    const { resource, asked } = await listOf('a', 'b');
    const work = Promise.withResolvers<null>();
    const changing = resource.change(drop('a') as never, () => work.promise);
    const fresh = resource.refetch();
    asked[1]?.answer(['a', 'b', 'new']);
    await fresh;
    work.reject(new Error('refused'));
    await expect(changing).rejects.toThrow('refused');
    expect(resource.value).toEqual(['a', 'b', 'new']);
  });
});
