import type { Send } from '#contract/methods.ts';
import { redact } from '../privacy/redact.ts';

/** Settings that name something to run, to read or to send to. */
const RUNS_OR_SENDS = /COMMAND|ENDPOINT|_URL|FEED|EVENTS_ON|FOLDERS?|_DIR$|^REFLECT_WRITER$/;
const LONGEST_VALUE = 200;

const REFUSED =
  'cannot be changed from a browser unless a person confirms it in the app; use the app or `reflect` on the command line';

/**
 * The methods as a page in a browser may call them. Before it decides which program runs, where text is sent or whose
 * notes come in without a question, a person has to confirm that in the app.
 */
export const fromBrowser =
  (dispatch: Send, confirm: (change: string) => Promise<boolean>): Send =>
  async (method, input) => {
    if (method === 'confirmations.answer')
      return { ok: false, code: 'read-only', detail: 'a page cannot answer for the person' };
    const change = sensitiveChange(method, input);
    if (change === null || (await confirm(`${change.what} to ${change.value}`)))
      return dispatch(method, input);
    return { ok: false, code: 'read-only', detail: `${change.what} ${REFUSED}` };
  };

function sensitiveChange(method: string, input: unknown): { what: string; value: string } | null {
  const given = (input ?? {}) as Record<string, unknown>;
  const shown = (value: unknown) => redact(JSON.stringify(value ?? null).slice(0, LONGEST_VALUE)).text;
  if (method === 'writers.use') return { what: 'the writer', value: shown(given['id']) };
  if (method === 'keys.trust') return { what: 'the list of trusted keys', value: shown(given['name']) };
  if (method === 'config.set' && RUNS_OR_SENDS.test(String(given['name'])))
    return { what: String(given['name']).slice(0, 100), value: shown(given['value']) };
  return null;
}
