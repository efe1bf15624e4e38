import { describe, expect, test, vi } from 'vitest';
import { fillSchema } from '../testing/fill-schema.ts';
import { Connection } from './connection.ts';
import type { DaemonEvent } from './status.ts';
import { createClient, type Method, METHODS } from './methods.ts';

const FORMED = ['a-learning', 'ralph-loop', 'abcdef0123', 'a'.repeat(64), '2026-01-01T00:00:00Z', 'guidance'];
const KEY = 'a key';
const NEWS = 'since the next release';

/** An answer the daemon could give to a method. */
const answerTo = (method: Method) =>
  fillSchema(METHODS[method].output, {
    free: (path) => (path.endsWith('key') ? KEY : 'text'),
    formed: FORMED,
  })[0];

/** The same from a newer daemon, which has a field to add to every object; a record has keys, not fields. */
function withNews(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNews);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, withNews(each)]);
  return { ...Object.fromEntries(fields), ...(KEY in value ? {} : { news: NEWS }) };
}

describe('a reply with fields this version does not know', () => {
  const methods = Object.keys(METHODS) as Method[];
  const answering = (value: unknown) => () => Promise.resolve({ ok: true as const, value });

  test.each(methods)('of %s is read without them, at any depth', async (method) => {
    const answer = answerTo(method);
    expect(await createClient(answering(answer), { strict: true })(method, {})).toEqual(answer);
    const read = await createClient(answering(withNews(answer)))(method, {});
    expect(read).toEqual(answer);
  });

  test('is refused where tests are strict, and a missing field is refused everywhere', async () => {
    const news = answering({ ok: true, news: NEWS });
    await expect(createClient(news, { strict: true })('capture.pause', {})).rejects.toThrow(/news/);
    expect(await createClient(news)('capture.pause', {})).toEqual({ ok: true });
    await expect(createClient(answering({ news: NEWS }))('capture.pause', {})).rejects.toThrow(
      /capture.pause: ok/,
    );
  });

  test('is still refused in a request', () => {
    expect(METHODS['learnings.get'].input.safeParse({ id: 'a-learning', news: NEWS }).success).toBe(false);
  });
});

test('an event with fields this version does not know is announced without them, an unknown event is not', () => {
  const connection = new Connection({ send: () => {} });
  const heard: DaemonEvent[] = [];
  void connection.subscribe((event) => heard.push(event));
  const announce = (params: object) => connection.receive(JSON.stringify({ method: 'event', params }));
  announce({ type: 'slots.changed', project: '', name: 'persona', news: NEWS });
  announce({ type: 'weather.changed' });
  expect(heard).toEqual([{ type: 'slots.changed', project: '', name: 'persona' }]);
});

test('a client waits as long for an answer as the table says the method takes', async () => {
  vi.useFakeTimers();
  const connection = new Connection({ send: () => {} }, { timeoutMs: 1_000 });
  const quick = connection.send('archive.preview', {});
  const long = connection.send('archive.export', {});
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await quick).toMatchObject({ code: 'timed-out' });
  await expect(Promise.race([long, Promise.resolve('still waiting')])).resolves.toBe('still waiting');
  vi.useRealTimers();
});
