/** Every way the daemon refuses: the code is for programs, the sentence for people, the number for JSON-RPC. */
const REFUSALS = {
  'bad-json': [-32700, 'The request is not valid JSON.'],
  'bad-request': [-32600, 'The request is not a JSON-RPC 2.0 call.'],
  'unknown-method': [-32601, 'Unknown method.'],
  'bad-input': [-32602, 'The input is not valid.'],
  internal: [-32603, 'The daemon failed. See its log.'],
  'not-found': [-32001, 'Not found.'],
  unauthorized: [-32002, 'The token is missing or wrong. Read it from run/daemon.json.'],
  forbidden: [-32003, 'This origin or host is not allowed.'],
  'too-large': [-32004, 'The request is too large.'],
  'too-many': [-32005, 'Too many requests. Try again later.'],
  conflict: [-32006, 'The change conflicts with what is stored.'],
  'models-missing': [-32007, 'Models are missing. Run `reflect models get`.'],
  'bad-knob': [-32008, 'The setting is not valid.'],
  'timed-out': [-32009, 'The daemon took too long.'],
  unreachable: [-32010, 'The daemon does not respond.'],
  'read-only': [-32011, 'This cannot be changed.'],
  'bad-archive': [-32012, 'The archive was rejected. Nothing was changed.'],
  unreadable: [-32013, 'The answer cannot be read. The daemon may have another version.'],
  'agent-unchanged': [-32014, 'The agent was not changed.'],
  'not-stored': [-32015, 'Changes cannot be saved right now.'],
} as const;

export type ErrorCode = keyof typeof REFUSALS;

export class DaemonError extends Error {
  override readonly name = 'DaemonError';
  readonly code: ErrorCode;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, detail?: string) {
    super(sentenceOf(code, detail));
    this.code = code;
    this.detail = detail;
  }
}

/**
 * A detail that is a sentence is used alone, and so is one that names what is missing: `learning nope` reads `No
 * learning “nope”.`.
 */
function sentenceOf(code: ErrorCode, detail: string | undefined): string {
  const [, sentence] = REFUSALS[code];
  if (!detail) return sentence;
  if (SENTENCE.test(detail)) return detail;
  if (SAYS_IT_ALL.has(code)) return asSentence(detail);
  if (code !== 'not-found') return `${sentence} (${detail})`;
  const [, kind, name, more = ''] = NAMED.exec(detail) ?? [];
  return asSentence(kind ? `No ${kind} “${name}”${more}` : detail);
}

/** Codes whose detail names the problem, so that the general sentence adds nothing. */
const SAYS_IT_ALL: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'bad-knob',
  'agent-unchanged',
  'not-stored',
]);

/** A first word becomes upper case; an id or a path keeps its case. */
const asSentence = (text: string): string =>
  `${text.replace(/^[a-z]+(?=\s)/, (word) => word.charAt(0).toUpperCase() + word.slice(1))}${/[.?!]$/.test(text) ? '' : '.'}`;

const SENTENCE = /^[“\p{Lu}].*\.$/su;
const NAMED =
  /^(?:the )?(learning|slot|slot change|merge question|moment|model|entity|change|observation|review|trace|loop|folder) (\S+?)(; .*)?$/;

/** Every refusal, for clients that are written from the description of the protocol. */
export const refusals = (): Array<{ code: number; name: ErrorCode; message: string }> =>
  (Object.keys(REFUSALS) as ErrorCode[]).map((name) => {
    const [code, message] = REFUSALS[name];
    return { code, name, message };
  });

export const rpcCode = (code: ErrorCode): number => REFUSALS[code][0];

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(REFUSALS, code);
}

/** The words of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
