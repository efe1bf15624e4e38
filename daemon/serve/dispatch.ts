import * as z from 'zod';
import type { DaemonEvent } from '#contract/status.ts';
import { DaemonError } from '#contract/errors.ts';
import { withFieldNames } from '#contract/field-names.ts';
import { type Handlers, isMethod, type Method, METHODS, type Send } from '#contract/methods.ts';
import { inner, isAsSent } from '#contract/schema.ts';
import type { Foreground } from '../platform/foreground.ts';
import type { Log } from '../platform/log.ts';
import { afterWaiting, inHurry } from '../platform/urgency.ts';
import { Turnstile } from './turnstile.ts';
import { redactAll } from '../privacy/redact.ts';

const MOST_AT_ONCE = 256;

interface DispatchParts {
  handlers: Handlers;
  log: Log;
  /** Hears of every request that an answer is waited for. */
  foreground: Foreground;
  emit: (event: DaemonEvent) => void;
  /** Secrets redacted from requests, by kind. */
  onRedacted: (counts: Counts) => void;
  /** The refusal for an error that is not our mistake, such as a full disk; null for all others. */
  explain: (error: unknown) => DaemonError | null;
}

/**
 * The one door: socket, HTTP, WebSocket, MCP, hooks and the command line all come through here. A request is validated
 * and redacted, its handler runs, and the events its method declares are announced.
 */
export function createDispatch({
  handlers,
  log,
  foreground,
  emit,
  onRedacted,
  explain,
}: DispatchParts): Send {
  let running = 0;
  const turnstile = new Turnstile();
  const answer = (method: Method, handle: () => unknown) => {
    const { urgent, queues } = METHODS[method];
    if (urgent) return foreground.enter(() => inHurry(handle));
    if (!queues) return handle();
    return foreground.enter(() => turnstile.pass((waited) => afterWaiting(waited, handle)));
  };
  return async (method, raw) => {
    // A crowd must not keep an agent from its hook.
    const most = isMethod(method) && METHODS[method].urgent ? 2 * MOST_AT_ONCE : MOST_AT_ONCE;
    if (running >= most) return { ok: false, code: 'too-many' };
    running++;
    try {
      if (!isMethod(method)) throw new DaemonError('unknown-method', method.slice(0, 100));
      const handle = handlers[method] as (input: unknown) => unknown; // TypeScript cannot correlate the two tables
      const input = readInput(method, raw, onRedacted);
      const value = await answer(method, () => handle(input));
      for (const type of METHODS[method].emits(value)) emit({ type });
      return { ok: true, value };
    } catch (error) {
      const known = error instanceof DaemonError ? error : explain(error);
      if (known) return { ok: false, code: known.code, detail: known.detail };
      log.error(`${method} failed`, error);
      return { ok: false, code: 'internal' }; // without detail, because an unexpected message may quote a transcript
    } finally {
      running--;
    }
  };
}

function readInput(method: Method, raw: unknown, onRedacted: DispatchParts['onRedacted']): unknown {
  const { input, redacts } = METHODS[method];
  const counts: Counts = {};
  const sent = unlessTooDeep(() => parse(input, withFieldNames(input, raw ?? {})));
  if (!redacts) return sent;
  const clean = unlessTooDeep(() => redactInput(input, sent, counts));
  if (Object.keys(counts).length === 0) return sent;
  onRedacted(counts);
  return parse(input, clean); // again, because a redacted name or date may no longer be valid
}

/** JSON may nest more deeply than the stack reaches. */
function unlessTooDeep<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new DaemonError('bad-input', 'it is nested too deeply');
    throw error;
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new DaemonError('bad-input', describe(parsed.error.issues));
  return parsed.data;
}

/** `patch.title: too long; unknown field "foo"`: which field, and what is wrong with it. */
function describe(issues: ReadonlyArray<{ path: PropertyKey[]; message: string }>): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}

type Counts = Record<string, number>;

/** Redacts every text of a request except addresses, and counts the secrets by kind. */
function redactInput(schema: z.ZodType, value: unknown, counts: Counts): unknown {
  const type = inner(schema);
  if (isAsSent(type)) return value;
  if (type instanceof z.ZodUnion) {
    const taken = type.options.find((option) => (option as z.ZodType).safeParse(value).success);
    return taken ? redactInput(taken as z.ZodType, value, counts) : redactAll(value, counts);
  }
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => redactInput(type.element as z.ZodType, each, counts));
  if (type instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const { shape } = type as z.ZodObject<Record<string, z.ZodType>>;
    const known = Object.entries(value).filter(([key]) => Object.hasOwn(shape, key));
    const others = Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key));
    return {
      ...Object.fromEntries(
        known.map(([key, field]) => [key, redactInput(shape[key] ?? z.unknown(), field, counts)]),
      ),
      ...redactAll(Object.fromEntries(others), counts),
    };
  }
  return redactAll(value, counts);
}
