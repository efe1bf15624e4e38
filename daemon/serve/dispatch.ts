import { DaemonError } from '#contract/errors.ts';
import { type Handlers, isMethod, METHODS, type Send } from '#contract/methods.ts';
import type { Log } from '../platform/log.ts';

const MOST_AT_ONCE = 256;

/** The only place requests are validated; socket, HTTP, WebSocket and MCP all come through here. */
export function createDispatch(handlers: Handlers, log: Log): Send {
  let running = 0;
  return async (method, raw) => {
    if (running >= MOST_AT_ONCE) return { ok: false, code: 'too-many' };
    running++;
    try {
      if (!isMethod(method)) throw new DaemonError('unknown-method', method.slice(0, 100));
      const input = METHODS[method].input.safeParse(raw ?? {});
      if (!input.success) throw new DaemonError('bad-input', describe(input.error.issues));
      const handle = handlers[method] as (input: unknown) => unknown; // TypeScript cannot correlate the two tables
      return { ok: true, value: await handle(input.data) };
    } catch (error) {
      if (error instanceof DaemonError) return { ok: false, code: error.code, detail: error.detail };
      log.error(`${method} failed`, error);
      return { ok: false, code: 'internal' }; // no detail: an unforeseen message may quote a transcript
    } finally {
      running--;
    }
  };
}

/** `patch.title: too long; unknown field "foo"`: which field, and what is wrong with it. */
function describe(issues: ReadonlyArray<{ path: PropertyKey[]; message: string }>): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
