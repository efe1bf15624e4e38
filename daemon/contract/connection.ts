import { DaemonEvent } from './status.ts';
import { isMethod, METHODS, type Reply, type Send } from './methods.ts';
import { tolerant } from './schema.ts';
import { EVENT_METHOD, readReply, type RpcId, SUBSCRIBE_METHOD } from './rpc.ts';

/** A transport of whole messages: a socket split into lines, a WebSocket, a test. */
export interface Wire {
  send(message: string): void;
}

const LONG_TIMEOUT = 3_600_000; // ms; long methods report their progress as events
const KnownEvent = tolerant(DaemonEvent) as typeof DaemonEvent; // differs only in allowing unknown fields

/** The client side of JSON-RPC: matches replies to requests and passes events to listeners. */
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
    const timeoutMs = isMethod(method) && METHODS[method].long ? LONG_TIMEOUT : this.#timeoutMs;
    if (this.#closed) return Promise.resolve({ ok: false, code: 'unreachable' });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ ok: false, code: 'timed-out', detail: method }), timeoutMs);
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(reply);
      };
      this.#waiting.set(id, settle);
      this.#wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params, token: this.#token }));
    });
  };

  /** Subscribes to events and passes each to the listener until the connection ends. */
  async subscribe(listener: (event: DaemonEvent) => void): Promise<Reply> {
    this.#listeners.add(listener);
    return this.send(SUBSCRIBE_METHOD, {});
  }

  /** Must be called with every message that arrives on the wire. */
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

  /** Must be called when the wire is closed, so that pending requests fail at once instead of by timeout. */
  closed(): void {
    this.#closed = true;
    for (const settle of [...this.#waiting.values()]) settle({ ok: false, code: 'unreachable' });
  }
}
