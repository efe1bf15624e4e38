import type { Send } from '#contract/methods.ts';

/** Settings that name something to run, to read or to send to. */
const RUNS_OR_SENDS = /COMMAND|ENDPOINT|_URL|FEED|EVENTS_ON|FOLDERS?|_DIR$|^REFLECT_WRITER$/;

const ADVICE = 'from a browser; use the app or `reflect` on the command line';

/** The methods as a page in a browser may call them: nothing that decides which program runs or where text is sent. */
export const fromBrowser =
  (dispatch: Send): Send =>
  async (method, input) => {
    const refusal = whyRefused(method, input);
    return refusal === null ? dispatch(method, input) : { ok: false, code: 'read-only', detail: refusal };
  };

/** Methods that decide what runs, or whose notes come in without a question. */
const REFUSED: Readonly<Record<string, string>> = {
  'writers.use': 'the writer cannot be changed',
  'keys.trust': 'a key cannot be trusted',
};

function whyRefused(method: string, input: unknown): string | null {
  const refused = Object.hasOwn(REFUSED, method) ? REFUSED[method] : undefined;
  if (refused) return `${refused} ${ADVICE}`;
  if (method !== 'config.set') return null;
  const name = String((input as { name?: unknown } | null)?.name);
  return RUNS_OR_SENDS.test(name) ? `${name.slice(0, 100)} cannot be changed ${ADVICE}` : null;
}
