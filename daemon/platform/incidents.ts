import { messageOf } from '#contract/errors.ts';
import { MINUTE } from './time.ts';

const KEPT = 5;
const MOST_A_MINUTE = 20;

interface Incident {
  what: string;
  times: number;
  lastAt: number;
}

/** Failures that no part expected. Each is logged where it happens; here a person sees it until the next start. */
export class Incidents {
  readonly #now: () => number;
  readonly #latest = new Map<string, Incident>();
  #recent: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `part` continues the sentence "Something failed in …". */
  report(part: string, error: unknown): void {
    const at = this.#now();
    const what = `${part}: ${messageOf(error).slice(0, 200)}`;
    const times = (this.#latest.get(what)?.times ?? 0) + 1;
    this.#latest.delete(what); // the latest comes last
    this.#latest.set(what, { what, times, lastAt: at });
    for (const oldest of [...this.#latest.keys()].slice(0, -KEPT)) this.#latest.delete(oldest);
    this.#recent = [...this.#recent.filter((earlier) => at - earlier < MINUTE), at];
  }

  /** True when failures follow each other so fast that going on makes no sense. */
  get areTooMany(): boolean {
    return this.#recent.length > MOST_A_MINUTE;
  }

  get notices(): string[] {
    return [...this.#latest.values()].map(({ what, times, lastAt }) => {
      const when = new Date(lastAt).toISOString().slice(0, 16).replace('T', ' ');
      return `Something failed in ${what} (${times === 1 ? '' : `${times} times, last `}${when} UTC). Reflect continues; see its log.`;
    });
  }
}
