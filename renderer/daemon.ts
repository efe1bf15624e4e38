import './without-eval.ts';
import { createSubscriber } from 'svelte/reactivity';
import { Connection } from '#contract/connection.ts';
import type { DaemonEvent } from '#contract/status.ts';
import { type Call, createClient, type Reply, type Send } from '#contract/methods.ts';
import type { DaemonBridge } from './shell.ts';
import { admitTabs, linkFromAnotherTab } from './tabs.ts';

export type LinkState = 'connecting' | 'online' | 'offline';

/** The daemon's events and one of our own: after a gap in the connection, anything may have changed. */
export type ClientEvent = DaemonEvent | { type: 'reconnected' };

const UNREACHABLE: Reply = { ok: false, code: 'unreachable' };
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 8_000;

/** The wait before the nth attempt to reach the daemon again. */
export const retryDelayMs = (attempt: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);

/** The daemon as screens know it: ask, listen, and see whether it answers. */
export abstract class Daemon {
  readonly call: Call = createClient((method, input) => this.send(method, input));
  readonly #listeners = new Set<(event: ClientEvent) => void>();
  #state: LinkState = 'connecting';
  #problem: string | null = null;
  #changed: () => void = () => {};
  readonly #track = createSubscriber((update) => {
    this.#changed = update;
  });

  protected abstract send(method: string, input: unknown): Promise<Reply>;

  /** Reactive wherever a component reads it. */
  get state(): LinkState {
    this.#track();
    return this.#state;
  }

  /** Why there is no daemon, if that is known. Reactive as well. */
  get problem(): string | null {
    this.#track();
    return this.#problem;
  }

  /** The same without tracking: asking a question must not make an effect depend on the link. */
  protected get isOffline(): boolean {
    return this.#state === 'offline';
  }

  onEvent(listener: (event: ClientEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected emit(event: ClientEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  protected become(state: LinkState, problem: string | null = null): void {
    const before = this.#state;
    if (state === before && problem === this.#problem) return;
    this.#state = state;
    this.#problem = problem;
    this.#changed();
    if (state === 'online' && before === 'offline') this.emit({ type: 'reconnected' });
  }
}

/** Through Electron's one channel. The main process keeps the connection and says when it breaks and comes back. */
export class BridgeDaemon extends Daemon {
  readonly #send: Send;

  constructor(bridge: DaemonBridge) {
    super();
    this.#send = bridge.send;
    bridge.onEvent((event) => this.emit(event));
    bridge.onLink(({ connected, problem }) => this.become(connected ? 'online' : 'offline', problem));
  }

  protected override async send(method: string, input: unknown): Promise<Reply> {
    const reply = await this.#send(method, input);
    if (!reply.ok && reply.code === 'unreachable') this.become('offline', reply.detail ?? null);
    else this.become('online');
    return reply;
  }
}

/** The part of a WebSocket we use, so that tests need no browser. */
export interface Socket {
  send(message: string): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

/** Through a WebSocket of the page's own origin. It is opened again, after growing pauses, whenever it closes. */
export class SocketDaemon extends Daemon {
  readonly #open: () => Socket;
  #connection: Promise<Connection> = Promise.withResolvers<Connection>().promise;
  #attempt = 0;

  constructor(open: () => Socket) {
    super();
    this.#open = open;
    this.#connect();
  }

  protected override async send(method: string, input: unknown): Promise<Reply> {
    // Questions asked before the first answer wait. Later ones fail at once, because the screen shows what it has.
    if (this.isOffline) return UNREACHABLE;
    return (await this.#connection).send(method, input);
  }

  #connect(): void {
    const socket = this.#open();
    const connection = new Connection(socket);
    const opened = Promise.withResolvers<Connection>();
    this.#connection = opened.promise;
    socket.addEventListener('open', () => {
      this.#attempt = 0;
      opened.resolve(connection);
      void connection.subscribe((event) => this.emit(event));
      this.become('online');
    });
    socket.addEventListener('message', ({ data }) => connection.receive(String(data)));
    socket.addEventListener('close', () => {
      connection.closed();
      opened.resolve(connection);
      this.become('offline');
      setTimeout(() => this.#connect(), retryDelayMs(this.#attempt++));
    });
  }
}

export function connectDaemon(): Daemon {
  if (window.daemon) return new BridgeDaemon(window.daemon);
  const address = new URL('/ws', location.href.replace(/^http/, 'ws'));
  const secret = sessionSecret();
  const daemon = new SocketDaemon(() => new WebSocket(address, `reflect.${secret}`));
  admitTabs(daemon.call);
  return daemon;
}

const SECRET = 'reflect.session';

/** The secret of this tab. Its link names it once; the tab's own storage keeps it from other tabs and ports. */
function sessionSecret(): string {
  const address = new URL(location.href);
  const given = address.searchParams.get('session');
  if (given !== null) {
    sessionStorage.setItem(SECRET, given);
    address.searchParams.delete('session');
    history.replaceState(history.state, '', address);
  }
  const kept = sessionStorage.getItem(SECRET);
  // A tab that no link opened cannot connect by itself. The development server lets its pages in by a key of its own.
  const isServedByVite = (import.meta as { env?: { DEV?: boolean } }).env?.DEV ?? false;
  if (kept === null && !isServedByVite)
    void linkFromAnotherTab().then((link) => location.replace(link ?? '/welcome'));
  return kept ?? 'none';
}
