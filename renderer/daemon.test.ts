import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reply } from '#contract/methods.ts';
import { BridgeDaemon, type ClientEvent, retryDelayMs, type Socket, SocketDaemon } from './daemon.ts';

/** A socket whose other end is the test. */
class TestSocket implements Socket {
  readonly sent: { id: number; method: string }[] = [];
  readonly #listeners = new Map<string, (event: { data: unknown }) => void>();

  send(message: string): void {
    this.sent.push(JSON.parse(message));
  }

  addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.set(type, listener);
  }

  emit(type: 'open' | 'close' | 'message', data?: unknown): void {
    this.#listeners.get(type)?.({ data: JSON.stringify(data) });
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connected() {
  const sockets: TestSocket[] = [];
  const daemon = new SocketDaemon(() => {
    const socket = new TestSocket();
    sockets.push(socket);
    return socket;
  });
  const events: ClientEvent[] = [];
  daemon.onEvent((event) => events.push(event));
  return { sockets, daemon, events };
}

test('a question asked before the socket opens is sent once it does', async () => {
  const { sockets, daemon } = connected();
  const answer = daemon.call('capture.pause', {});
  expect(sockets[0]?.sent).toEqual([]);
  sockets[0]?.emit('open');
  await vi.advanceTimersByTimeAsync(0);
  const asked = sockets[0]?.sent.find(({ method }) => method === 'capture.pause');
  sockets[0]?.emit('message', { jsonrpc: '2.0', id: asked?.id, result: { ok: true } });
  await expect(answer).resolves.toEqual({ ok: true });
});

test('a socket that closes is opened again, subscribed again, and screens are notified', async () => {
  const { sockets, daemon, events } = connected();
  sockets[0]?.emit('open');
  expect(daemon.state).toBe('online');
  expect(events).toEqual([]);

  sockets[0]?.emit('close');
  expect(daemon.state).toBe('offline');
  await expect(daemon.call('capture.pause', {})).rejects.toMatchObject({ code: 'unreachable' });

  await vi.advanceTimersByTimeAsync(retryDelayMs(0));
  sockets[1]?.emit('open');
  expect(daemon.state).toBe('online');
  expect(sockets[1]?.sent.map(({ method }) => method)).toEqual(['events.subscribe']);
  expect(events).toEqual([{ type: 'reconnected' }]);
});

test('the wait grows with every failed try, to a limit', () => {
  expect([0, 1, 2, 20].map(retryDelayMs)).toEqual([250, 500, 1_000, 8_000]);
});

test('in Electron a page hears of a broken link, and that anything may have changed once it is back', async () => {
  let tellLink: (link: { connected: boolean; problem: string | null }) => void = () => {};
  const daemon = new BridgeDaemon({
    send: async (): Promise<Reply> => ({ ok: true, value: { ok: true } }),
    onEvent: () => () => {},
    onLink: (listener) => {
      tellLink = listener;
      return () => {};
    },
  });
  const events: ClientEvent[] = [];
  daemon.onEvent((event) => events.push(event));
  await daemon.call('capture.pause', {});
  tellLink({ connected: false, problem: null });
  expect([daemon.state, events]).toEqual(['offline', []]);
  tellLink({ connected: false, problem: 'The disk is full.' });
  expect([daemon.state, daemon.problem]).toEqual(['offline', 'The disk is full.']);
  tellLink({ connected: true, problem: null });
  expect([daemon.state, daemon.problem, events]).toEqual(['online', null, [{ type: 'reconnected' }]]);
});

test('a page that was opened while the daemon was away loads once it is there', async () => {
  const { sockets, events } = connected();
  sockets[0]?.emit('close');
  await vi.advanceTimersByTimeAsync(retryDelayMs(0));
  sockets[1]?.emit('open');
  expect(events).toEqual([{ type: 'reconnected' }]);
});
