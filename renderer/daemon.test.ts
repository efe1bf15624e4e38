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

test('a socket that closes is opened again, subscribed again, and screens are told', async () => {
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

test('patience grows with every failed try, to a limit', () => {
  expect([0, 1, 2, 20].map(retryDelayMs)).toEqual([250, 500, 1_000, 8_000]);
});

test('in Electron an unreachable daemon is polled until it answers', async () => {
  let reply: Reply = { ok: false, code: 'unreachable' };
  const daemon = new BridgeDaemon({ send: async () => reply, onEvent: () => () => {} });
  await daemon.call('capture.pause', {}).catch(() => {});
  expect(daemon.state).toBe('offline');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(daemon.state).toBe('offline');
  reply = { ok: true, value: { ok: true } };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(daemon.state).toBe('online');
});
