import { type UserResolve, resolveAll } from '../../../ports/knob.ts';
import { readBreaker, readQuota } from '../../../store/capture/writer-usage.ts';
import type { ReadableDb } from '../../../store/db.ts';
import { breaker, isResting } from './breaker.ts';
import { BUDGET_KNOBS, dayHold, isTooCostly, paceHold } from './budget.ts';
import type { Provider } from './provider.ts';
import { type Hold, quota, quotaHold } from './quota.ts';

interface HoldsParts {
  db: ReadableDb;
  now: () => number;
  resolve: UserResolve;
}

/** The reasons not to ask a model now: it rests, a budget is used up, or a moment has cost too much. */
export class Holds {
  readonly #parts: HoldsParts;

  constructor(parts: HoldsParts) {
    this.#parts = parts;
  }

  /** The reason not to ask a model about this moment at all. */
  reasonAgainst(writer: string, moment: string): string | null {
    const { db, resolve } = this.#parts;
    if (isTooCostly(db, moment, resolveAll(BUDGET_KNOBS, resolve)))
      return 'it has cost too many tokens already';
    return this.#rest(writer)?.why ?? null;
  }

  quota(writer: string, { auth }: Provider): Hold | null {
    const { db, now, resolve } = this.#parts;
    return resolve(quota.switch)
      ? quotaHold(readQuota(db, writer), auth, resolveAll(quota.knobs, resolve), now())
      : null;
  }

  /** Only what nobody waits for is paced. */
  budget(moment: string, isUrgent: boolean): Hold | null {
    const { db, now, resolve } = this.#parts;
    const knobs = resolveAll(BUDGET_KNOBS, resolve);
    return dayHold(db, moment, knobs, now()) ?? (isUrgent ? null : paceHold(db, moment, knobs, now()));
  }

  /** Anything that holds the model back right now. */
  now(writer: string, provider: Provider, moment: string, isUrgent: boolean): Hold | null {
    return this.#rest(writer) ?? this.quota(writer, provider) ?? this.budget(moment, isUrgent);
  }

  #rest(writer: string): Hold | null {
    const { db, now, resolve } = this.#parts;
    const state = readBreaker(db, writer);
    return resolve(breaker.switch) && isResting(state, resolveAll(breaker.knobs, resolve), now())
      ? { why: state.reason, until: state.restsUntil }
      : null;
  }
}
