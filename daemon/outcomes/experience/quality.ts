import type { Signals } from '#contract/entities.ts';

const ENOUGH_USES = 3;
const HELPS = 0.8;
const FAILS = 0.4;
const BEST = 5;
const WORST = 1;

/** Counts one more use. From the third on, quality rises while the learning mostly helps, and falls otherwise. */
export function afterUse(
  before: Pick<Signals, 'quality' | 'uses' | 'successes'>,
  helped: boolean,
): Pick<Signals, 'quality' | 'uses' | 'successes'> {
  const uses = before.uses + 1;
  const successes = before.successes + (helped ? 1 : 0);
  const share = successes / uses;
  const step = uses < ENOUGH_USES ? 0 : share >= HELPS ? 1 : share < FAILS ? -1 : 0;
  return { uses, successes, quality: withinQuality(before.quality + step) };
}

export const withinQuality = (quality: number): number => Math.min(BEST, Math.max(WORST, quality));
