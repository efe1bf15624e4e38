import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BackgroundTask } from '../platform/background-task.ts';
import { HOUR } from '../platform/time.ts';
import type { KeptSession, KeptSessions } from './kept-sessions.ts';

const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares in constant time, so that timing does not reveal a partial match. */
function sameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
}

/** Written down instead of a secret: it lets nobody in who reads it. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const GRACE = HOUR; // long enough for every client to read the new one
const ROTATE_EVERY = 12 * HOUR;

/** The token of programs. Rotated, the one before is still allowed for a while. */
export class Tokens {
  readonly #now: () => number;
  #current = newToken();
  #before: { token: string; until: number } | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  get current(): string {
    return this.#current;
  }

  rotate(graceMs = GRACE): void {
    this.#before = { token: this.#current, until: this.#now() + graceMs };
    this.#current = newToken();
  }

  allows(given: string | undefined): boolean {
    if (sameToken(given, this.#current)) return true;
    return this.#before !== null && this.#now() < this.#before.until && sameToken(given, this.#before.token);
  }
}

/** Rotates a token twice a day. The one before keeps its grace: a client may just have read it. */
export function rotateRepeatedly(
  rotate: (graceMs?: number) => void,
  onError: (error: unknown) => void,
): BackgroundTask {
  const rotating = new BackgroundTask({ work: () => rotate(), next: () => ROTATE_EVERY, onError });
  rotating.wake(ROTATE_EVERY);
  return rotating;
}

const CODE_LIFE = 5 * 60_000; // ms
const SESSION_LIFE = 12 * HOUR;

/** A browser that was let in. The cookie goes to every port of this host, so it alone opens nothing but the pages. */
interface BrowserSession {
  cookie: string;
  /** Of one tab, which a link opened; only that tab keeps it. */
  secret: string;
  lifeMs: number;
}

/**
 * One-time codes for browsers, and the sessions they are exchanged for. Sessions outlive the daemon, so that tabs
 * reconnect.
 */
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

  /**
   * Exchanges an unused code for a secret of the tab; a browser that was let in before keeps its cookie. Otherwise
   * null.
   */
  redeem(code: string, known: string | undefined): BrowserSession | null {
    const isValid = (this.#codes.get(code) ?? 0) >= this.#now();
    this.#codes.delete(code);
    if (!isValid) return null;
    const [tab] = this.#tabsOf(known);
    const cookie = tab && known ? known : newToken();
    const secret = newToken();
    const expires = tab?.expires ?? this.#now() + SESSION_LIFE;
    this.#kept.add({ cookie: digestOf(cookie), secret: digestOf(secret), expires });
    return { cookie, secret, lifeMs: expires - this.#now() };
  }

  knows(cookie: string | undefined): boolean {
    return this.#tabsOf(cookie).length > 0;
  }

  /** True for a tab of a session: it has the cookie and a secret of its own. */
  admits(cookie: string | undefined, secret: string | undefined): boolean {
    return this.#tabsOf(cookie).some((tab) => sameToken(digestOf(secret ?? ''), tab.secret));
  }

  /** Ends every session and returns how many tabs there were. */
  revoke(): number {
    this.#codes.clear();
    return this.#kept.clear();
  }

  #tabsOf(cookie: string | undefined): KeptSession[] {
    if (cookie === undefined) return [];
    return this.#kept.find(digestOf(cookie)).filter(({ expires }) => expires >= this.#now());
  }
}
