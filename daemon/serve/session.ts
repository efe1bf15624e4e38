import { EVENT_METHOD, type RpcId, rpcReply, RpcRequest, SUBSCRIBE_METHOD } from '#contract/rpc.ts';
import type { Reply, Send } from '#contract/methods.ts';
import type { EventHub } from './events.ts';
import { asCaller } from './turnstile.ts';

export const LARGEST_MESSAGE = 4 * 1024 * 1024; // bytes
/**
 * Bytes that may wait for a client; one that has stopped reading is cut off, or answers and events would pile up here.
 */
export const LARGEST_BACKLOG = 4 * LARGEST_MESSAGE;

interface SessionOptions {
  dispatch: Send;
  events: EventHub;
  /** True if this request may be answered; a connection authorized by its cookie needs no token. */
  allows(request: RpcRequest): boolean;
  send(message: object): void;
}

/** One client on an open connection: answers its requests and, after it subscribes, sends it events. */
export class RpcSession {
  readonly #options: SessionOptions;
  #unsubscribe: (() => void) | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async receive(message: string): Promise<void> {
    const { id, reply } = await this.#answer(message);
    // A request without an id is a notification: it is executed and never answered.
    if (id !== undefined) this.#options.send(rpcReply(id, reply));
  }

  close(): void {
    this.#unsubscribe?.();
  }

  async #answer(message: string): Promise<{ id: RpcId | undefined; reply: Reply }> {
    const request = readRequest(message);
    if (!('method' in request)) return request;
    if (!this.#options.allows(request))
      return { id: request.id ?? null, reply: { ok: false, code: 'unauthorized' } };
    const reply =
      request.method === SUBSCRIBE_METHOD
        ? this.#subscribe()
        : await asCaller(this, () => this.#options.dispatch(request.method, request.params));
    return { id: request.id, reply };
  }

  #subscribe(): Reply {
    this.#unsubscribe ??= this.#options.events.subscribe((event) =>
      this.#options.send({ jsonrpc: '2.0', method: EVENT_METHOD, params: event }),
    );
    return { ok: true, value: { ok: true } };
  }
}

/** The parsed request, or the refusal to send back. */
export function readRequest(message: string): RpcRequest | { id: null; reply: Reply } {
  let json: unknown;
  try {
    json = JSON.parse(message);
  } catch {
    return { id: null, reply: { ok: false, code: 'bad-json' } };
  }
  const parsed = RpcRequest.safeParse(json);
  return parsed.success
    ? parsed.data
    : { id: null, reply: { ok: false, code: 'bad-request', detail: parsed.error.issues[0]?.message } };
}
