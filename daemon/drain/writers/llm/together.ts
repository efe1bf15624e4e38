import { Lru } from '../../../platform/lru.ts';
import { isAllRedacted } from '../../../privacy/redact.ts';
import { momentByKey } from '../../../store/capture/effects.ts';
import { waitingBeside } from '../../../store/capture/moments.ts';
import { MOMENT_PAYLOAD } from '../../../store/columns.ts';
import type { ReadableDb } from '../../../store/db.ts';
import type { Material } from '../../writer.ts';
import type { Verdict } from './reply.ts';

export interface Judged {
  verdict: Verdict;
  model: string;
}

const MOST_TOGETHER = 12; // moments in one question
const MOST_KEPT = 500; // verdicts

/** Verdicts on moments of a session that were asked about together, until each of them is drained. */
export class TogetherVerdicts {
  readonly #db: ReadableDb;
  readonly #verdicts = new Lru<string, Judged>(MOST_KEPT);
  /** Moments that an answer left out; they are asked about alone. */
  readonly #alone = new Lru<string, true>(MOST_KEPT);

  constructor(db: ReadableDb) {
    this.#db = db;
  }

  /** True for a moment of a transcript; other material has nothing to wait for. */
  isQueued({ key }: Material): boolean {
    return momentByKey(this.#db, key) !== null;
  }

  /** The moment, and with it those of its session that wait in the queue. */
  groupOf(moment: Material): Material[] {
    if (this.#alone.has(moment.key)) return [moment];
    const others = waitingBeside(this.#db, moment.key, MOST_TOGETHER - 1)
      .map(({ payload, ...row }) => ({ ...row, ...MOMENT_PAYLOAD.read(payload) }))
      .filter(({ key, quote }) => !this.#verdicts.has(key) && !this.#alone.has(key) && !isAllRedacted(quote));
    return [moment, ...others];
  }

  /** Keeps the verdicts of an answer, which counts the moments from 1. */
  keep(moments: readonly Material[], verdicts: ReadonlyMap<number, Verdict>, model: string): void {
    for (const [index, { key }] of moments.entries()) {
      const verdict = verdicts.get(index + 1);
      if (verdict) this.#verdicts.set(key, { verdict, model });
      else this.#alone.set(key, true);
    }
  }

  take(key: string): Judged | null {
    const judged = this.#verdicts.get(key) ?? null;
    this.#verdicts.delete(key);
    return judged;
  }
}
