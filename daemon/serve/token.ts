import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeptSession, KeptSessions } from './kept-sessions.ts';

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares in constant time, so that timing does not reveal a partial match. */
export function sameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
}

/** Written down instead of a secret: it lets nobody in who reads it. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const CODE_LIFE = 5 * 60_000; // ms
export const SESSION_LIFE = 12 * 3_600_000; // ms

/** A browser that was let in. The cookie goes to every port of this host, so it alone opens nothing but the pages. */
interface BrowserSession {
  cookie: string;
  /** Kept by the page under its own origin, which no other port can read. */
  secret: string;
}

/** One-time codes for browsers, and the sessions they are exchanged for. Sessions outlive the daemon, so that tabs reconnect. */
export class BrowserAccess {
  readonly #codes = new Map<string, number>();
  readonly #kept: KeptSessions;
  readonly #now: () => number;

  constructor(now: () => number, kept: KeptSessions) {
    this.#now = now;
    this.#kept = kept;
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
    const session = { cookie: newToken(), secret: newToken() };
    this.#kept.add({
      cookie: digestOf(session.cookie),
      secret: digestOf(session.secret),
      expires: this.#now() + SESSION_LIFE,
    });
    return session;
  }

  knows(cookie: string | undefined): boolean {
    return this.#sessionOf(cookie) !== undefined;
  }

  /** True for the page of a session: it has the cookie and the secret. */
  admits(cookie: string | undefined, secret: string | undefined): boolean {
    const session = this.#sessionOf(cookie);
    return session !== undefined && sameToken(digestOf(secret ?? ''), session.secret);
  }

  /** Ends every session and returns how many there were. */
  revoke(): number {
    this.#codes.clear();
    return this.#kept.clear();
  }

  #sessionOf(cookie: string | undefined): KeptSession | undefined {
    if (cookie === undefined) return undefined;
    const session = this.#kept.find(digestOf(cookie));
    return session && session.expires >= this.#now() ? session : undefined;
  }
}
