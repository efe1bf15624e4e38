import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares in constant time, so that timing does not reveal a partial match. */
export function sameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
}

const CODE_LIFE = 5 * 60_000; // ms
export const SESSION_LIFE = 12 * 3_600_000; // ms

/** A browser that was let in. The cookie goes to every port of this host, so it alone opens nothing but the pages. */
export interface BrowserSession {
  cookie: string;
  /** Kept by the page under its own origin, which no other port can read. */
  secret: string;
  expires: number;
}

/** One-time codes for browsers, and the sessions they are exchanged for. */
export class BrowserAccess {
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, BrowserSession>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  newCode(): string {
    const code = newToken();
    this.#codes.set(code, this.#now() + CODE_LIFE);
    return code;
  }

  /** The session for an unused code, otherwise null. */
  redeem(code: string): BrowserSession | null {
    const expires = this.#codes.get(code);
    this.#codes.delete(code);
    if (expires === undefined || expires < this.#now()) return null;
    const session = { cookie: newToken(), secret: newToken(), expires: this.#now() + SESSION_LIFE };
    this.#sessions.set(session.cookie, session);
    return session;
  }

  knows(cookie: string | undefined): boolean {
    return this.#sessionOf(cookie) !== null;
  }

  /** True for the page of a session: it has the cookie and the secret. */
  admits(cookie: string | undefined, secret: string | undefined): boolean {
    const session = this.#sessionOf(cookie);
    return session !== null && sameToken(secret, session.secret);
  }

  /** Ends every session and returns how many there were. */
  revoke(): number {
    const { size } = this.#sessions;
    this.#sessions.clear();
    this.#codes.clear();
    return size;
  }

  #sessionOf(cookie: string | undefined): BrowserSession | null {
    const session = cookie === undefined ? undefined : this.#sessions.get(cookie);
    if (!session) return null;
    if (session.expires >= this.#now()) return session;
    this.#sessions.delete(session.cookie);
    return null;
  }
}
