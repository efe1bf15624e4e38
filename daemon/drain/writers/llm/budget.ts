import { integer, type KnobValues, number } from '../../../ports/knob.ts';
import type { ReadableDb } from '../../../store/db.ts';
import { otherMomentsSince, tokensOnMoment, tokensSince } from '../../../store/capture/writer-usage.ts';
import type { Hold } from './quota.ts';

/**
 * The daily budget for notes, whatever the provider allows. A run is one question about the waiting moments of a
 * session, however often it has to be repeated.
 */
export const BUDGET_KNOBS = {
  runsPerDay: integer('REFLECT_WRITER_RUNS_PER_DAY', {
    default: 20,
    min: 0,
    max: 100_000,
    doc: 'Maximum model calls a day; one call covers all new moments of a session',
    aliases: ['REFLECT_DRAIN_DAILY_MAX'],
  }),
  tokensPerDay: integer('REFLECT_WRITER_TOKENS_PER_DAY', {
    default: 500_000,
    min: 0,
    max: 1_000_000_000,
    doc: 'Maximum tokens a day for notes',
  }),
  runsPerDrain: integer('REFLECT_WRITER_RUNS_PER_DRAIN', {
    default: 3,
    min: 1,
    max: 10_000,
    doc: 'Maximum model calls in a row',
  }),
  drainSeconds: number('REFLECT_WRITER_DRAIN_SECONDS', {
    default: 600,
    min: 0,
    max: 86_400,
    doc: 'Seconds between two such rows',
  }),
  poisonTokens: integer('REFLECT_WRITER_POISON_TOKENS', {
    default: 2_000_000,
    min: 1,
    max: 1_000_000_000,
    doc: 'A moment that has cost this many tokens is written without a model',
  }),
};
type BudgetKnobs = KnobValues<typeof BUDGET_KNOBS>;

/** The reason why the day has no room for this moment. */
export function dayHold(db: ReadableDb, moment: string, knobs: BudgetKnobs, now: number): Hold | null {
  const { start, end } = dayOf(now);
  if (tokensSince(db, start) >= knobs.tokensPerDay)
    return { why: `today's ${knobs.tokensPerDay} tokens are spent`, until: end };
  if (otherMomentsSince(db, start, moment).length >= knobs.runsPerDay)
    return { why: `a model was asked ${knobs.runsPerDay} times today`, until: end };
  return null;
}

/** Spreads what the background asks over the day; nobody waits for it. */
export function paceHold(db: ReadableDb, moment: string, knobs: BudgetKnobs, now: number): Hold | null {
  const lately = otherMomentsSince(db, now - knobs.drainSeconds * 1_000, moment);
  const [oldest] = lately.slice(-knobs.runsPerDrain);
  if (oldest === undefined || lately.length < knobs.runsPerDrain) return null;
  return {
    why: `a model was asked ${lately.length} times just now`,
    until: oldest + knobs.drainSeconds * 1_000,
  };
}

export function isTooCostly(db: ReadableDb, moment: string, { poisonTokens }: BudgetKnobs): boolean {
  return tokensOnMoment(db, moment) >= poisonTokens;
}

/** The day in the person's time zone, not in UTC. */
export function dayOf(now: number): { start: number; end: number } {
  const start = new Date(now).setHours(0, 0, 0, 0);
  return { start, end: new Date(start).setDate(new Date(start).getDate() + 1) };
}
