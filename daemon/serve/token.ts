import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Compares in constant time, so that timing does not reveal a partial match. */
export function sameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
}

const CODE_LIFE = 5 * 60_000; // ms

/** One-time codes for browsers, and the cookies they are exchanged for. */
export class BrowserAccess {
  readonly #codes = new Map<string, number>();
  readonly #cookies = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  newCode(): string {
    const code = newToken();
    this.#codes.set(code, this.#now() + CODE_LIFE);
    return code;
  }

  /** The cookie for an unused code, otherwise null. */
  redeem(code: string): string | null {
    const expires = this.#codes.get(code);
    this.#codes.delete(code);
    if (expires === undefined || expires < this.#now()) return null;
    const cookie = newToken();
    this.#cookies.add(cookie);
    return cookie;
  }

  knows(cookie: string | undefined): boolean {
    return cookie !== undefined && this.#cookies.has(cookie);
  }
}
