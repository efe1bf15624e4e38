import type { Send } from '#contract/methods.ts';
import { redact } from '../privacy/redact.ts';

/** Settings that name something to run, to load, to read or to send to, or a variable whose value is sent. */
const RUNS_OR_SENDS =
  /COMMAND|ENDPOINT|_URL|FEED|EVENTS_ON|FOLDERS?|_DIR$|^REFLECT_WRITER$|_WRITER_(?:MODEL|KEY_VARIABLE)$|_CE_MODEL$/;
const LONGEST_VALUE = 200;

const REFUSED =
  'cannot be changed from a browser unless a person confirms it in the app; use the app or `reflect` on the command line';

/**
 * The methods as a page in a browser may call them. Before it decides which program runs, where text is sent or whose
 * notes come in without a question, a person has to confirm that in the app; what they allowed is not asked again.
 */
export function fromBrowser(dispatch: Send, confirm: (change: string) => Promise<boolean>): Send {
  const allowed = new Set<string>();
  return async (method, input) => {
    if (method === 'confirmations.answer')
      return { ok: false, code: 'read-only', detail: 'a page cannot answer for the person' };
    const change = sensitiveChange(method, (input ?? {}) as Record<string, unknown>);
    if (change === null) return dispatch(method, input);
    const asked = `${change.what} to ${shown(change.value)}`;
    const exactly = JSON.stringify(change); // what is shown may be shortened
    if (!allowed.has(exactly) && !(await confirm(asked)))
      return { ok: false, code: 'read-only', detail: `${change.what} ${REFUSED}` };
    allowed.add(exactly);
    return dispatch(method, input);
  };
}

const shown = (value: unknown) => redact(JSON.stringify(value ?? null).slice(0, LONGEST_VALUE)).text;

function sensitiveChange(
  method: string,
  given: Record<string, unknown>,
): { what: string; value: unknown } | null {
  switch (method) {
    case 'writers.use':
      return { what: 'the writer', value: [given['id'], given['model']].filter(Boolean).join(' ') };
    case 'keys.trust':
      return { what: 'the list of trusted keys', value: `${String(given['name'])}: ${String(given['key'])}` };
    case 'team.inspect':
    case 'team.create':
    case 'team.join':
      return { what: 'the server that your team shares notes on', value: given['url'] };
    case 'team.exportGit':
    case 'team.syncGit':
      return { what: 'the repository that your team shares notes in', value: given['folder'] };
    case 'config.set':
      return isSensitive(given['name'])
        ? { what: String(given['name']).slice(0, 100), value: given['value'] }
        : null;
    default:
      return null;
  }
}

/** True for a setting that a page may not change by itself. */
export const isSensitive = (setting: unknown): boolean => RUNS_OR_SENDS.test(String(setting));
