import { randomUUID } from 'node:crypto';
import { DaemonError } from '#contract/errors.ts';

const HEARD_WITHIN = 1_000; // ms; without an app nobody waits longer
const DECIDED_WITHIN = 120_000; // ms
const QUIET_AFTER_NO = 60_000; // ms; a page that was refused cannot ask again and again

type Answer = 'asking' | 'allow' | 'refuse';

/**
 * Questions to the person in front of the app about changes that a page in a browser may not make by itself; one at a
 * time.
 */
export class Confirmations {
  readonly #announce: (asked: { id: string; change: string }) => void;
  readonly #now: () => number;
  readonly #heardWithin: number;
  #open: { id: string; settle: (isAllowed: boolean) => void; wait: (ms: number) => void } | null = null;
  #quietUntil = 0;

  constructor(
    announce: (asked: { id: string; change: string }) => void,
    now: () => number,
    heardWithin = HEARD_WITHIN,
  ) {
    this.#announce = announce;
    this.#now = now;
    this.#heardWithin = heardWithin;
  }

  /** True when a person allowed the change; false also when nobody is there to be asked. */
  ask(change: string): Promise<boolean> {
    if (this.#open || this.#now() < this.#quietUntil) return Promise.resolve(false);
    return new Promise((resolve) => {
      const id = randomUUID();
      let timer: NodeJS.Timeout | undefined;
      const settle = (isAllowed: boolean) => {
        clearTimeout(timer);
        this.#open = null;
        resolve(isAllowed);
      };
      const wait = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => settle(false), ms).unref();
      };
      this.#open = { id, settle, wait };
      wait(this.#heardWithin);
      this.#announce({ id, change });
    });
  }

  /** The app says that it asks the person, then what they decided. */
  answer(id: string, answer: Answer): void {
    if (this.#open?.id !== id) throw new DaemonError('not-found', 'this question is no longer open');
    if (answer === 'asking') return this.#open.wait(DECIDED_WITHIN);
    if (answer === 'refuse') this.#quietUntil = this.#now() + QUIET_AFTER_NO;
    this.#open.settle(answer === 'allow');
  }
}
