import { cleanMessage, Rejected } from './provider.ts';
import { readingsOfHeaders, refusal, retryTime } from './quota.ts';

const LARGEST_BODY = 4 * 1024 * 1024; // bytes
const NOT_NOW = [429, 529]; // too many requests; Anthropic's "overloaded"

export interface HttpAnswer {
  json: unknown;
  headers: Headers;
}

interface Request {
  url: string;
  headers: Record<string, string>;
  body: object;
  secrets: readonly string[];
  signal: AbortSignal;
  now: () => number;
}

/** The server understood and refused; its status says whether another form of the request could do. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Posts JSON and reads JSON. Nothing that leaves here, error or not, holds a secret. */
export async function postJson({ url, headers, body, secrets, signal, now }: Request): Promise<HttpAnswer> {
  const clean = (message: string) => cleanMessage(message, secrets);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'error', // the user did not choose the target of a redirect, and it would get the key
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted
      ? signal.reason
      : new Error(clean(`${hostOf(url)} cannot be reached: ${reasonOf(error)}`));
  });
  const text = await readBody(response, signal, clean);
  if (NOT_NOW.includes(response.status)) {
    const readings = [
      ...readingsOfHeaders(response.headers, now()),
      refusal(retryTime(response.headers, now()), now()),
    ];
    throw new Rejected(clean(`${hostOf(url)} answered ${response.status}: ${text}`), readings);
  }
  if (!response.ok)
    throw new HttpFailure(response.status, clean(`${hostOf(url)} answered ${response.status}: ${text}`));
  try {
    return { json: JSON.parse(text), headers: response.headers };
  } catch {
    throw new Error(clean(`${hostOf(url)} answered something that is not JSON: ${text}`));
  }
}

async function readBody(
  response: Response,
  signal: AbortSignal,
  clean: (message: string) => string,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > LARGEST_BODY) throw new Error(`the answer is larger than ${LARGEST_BODY} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : new Error(clean(reasonOf(error)));
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

const hostOf = (url: string) => new URL(url).host;
