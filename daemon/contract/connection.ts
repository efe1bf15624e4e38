import { DaemonEvent } from './status.ts';
import { isMethod, METHODS, type Reply, type Send } from './methods.ts';
import { tolerant } from './schema.ts';
import { EVENT_METHOD, readReply, type RpcId, SUBSCRIBE_METHOD } from './rpc.ts';

/** Anything that carries whole messages: a socket split into lines, a WebSocket, a test. */
export interface Wire {
  send(message: string): void;
}

const LONG_WORK = 3_600_000; // ms; whoever asks for it sees its progress as events
const KnownEvent = tolerant(DaemonEvent) as typeof DaemonEvent; // differs only in what it lets pass

/** The client's end of a JSON-RPC wire: matches answers to questions and hands on events. */
export class Connection {
  readonly #wire: Wire;
  readonly #token: string | undefined;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<RpcId, (reply: Reply) => void>();
  readonly #listeners = new Set<(event: DaemonEvent) => void>();
  #nextId = 1;
  #closed = false;

  constructor(wire: Wire, options: { token?: string | undefined; timeoutMs?: number } = {}) {
    this.#wire = wire;
    this.#token = options.token;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
  }

  readonly send: Send = (method, params) => {
    const patience = isMethod(method) && METHODS[method].long ? LONG_WORK : this.#timeoutMs;
    if (this.#closed) return Promise.resolve({ ok: false, code: 'unreachable' });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ ok: false, code: 'timed-out', detail: method }), patience);
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(reply);
      };
      this.#waiting.set(id, settle);
      this.#wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params, token: this.#token }));
    });
  };

  /** Asks for events and hands each to the listener until the connection ends. */
  async subscribe(listener: (event: DaemonEvent) => void): Promise<Reply> {
    this.#listeners.add(listener);
    return this.send(SUBSCRIBE_METHOD, {});
  }

  /** Give every message that arrives on the wire to this. */
  receive(message: string): void {
    const json = JSON.parse(message) as { method?: unknown; params?: unknown };
    if (json.method === EVENT_METHOD) {
      const { success, data: event } = KnownEvent.safeParse(json.params);
      // A newer daemon may announce events this version does not know.
      if (success) for (const listener of this.#listeners) listener(event);
      return;
    }
    const { id, reply } = readReply(json);
    this.#waiting.get(id)?.(reply);
  }

  /** Call when the wire is gone: whoever waits learns it at once instead of by time-out. */
  closed(): void {
    this.#closed = true;
    for (const settle of [...this.#waiting.values()]) settle({ ok: false, code: 'unreachable' });
  }
}
