import { BackgroundTask } from '../platform/background-task.ts';
import type { AskModel } from '../drain/writer.ts';
import type { Log } from '../platform/log.ts';
import type { UserResolve, Resolve } from '../ports/knob.ts';
import type { Store } from '../store/learnings/write.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { cleanUp, experienceCleanup } from './experience/cleanup.ts';
import { consolidate, QUIET } from './experience/consolidate.ts';
import { extractExperiences } from './experience/extract.ts';
import type { Keep } from './experience/keep.ts';
import { mergeExperiences } from './experience/merge.ts';
import { judgeBySessions } from './memories/session-outcomes.ts';
import { DAY } from '../platform/time.ts';
import { EXPERIENCE_HALF_LIFE } from '../recall/inject/experience-marks.ts';

export interface UpkeepParts {
  store: Store;
  log: Log;
  resolve: UserResolve;
  keep: Keep;
  /** The settings of a project. */
  resolver: (project: string) => Resolve;
  ask: AskModel;
  /** When Reflect was first started. */
  since?: number;
}

const SETTLE = 1_000; // ms, because a transcript arrives in many pieces
/** When experiences were last cleaned up, which is done once a day. */
export const CLEANED = 'experiences-cleaned';

/**
 * Learns from outcomes in the background: session endings judge recalled learnings, finished tasks become experiences,
 * old experiences are forgotten.
 */
export function createOutcomeUpkeep(parts: UpkeepParts): BackgroundTask {
  return new BackgroundTask({
    settleMs: SETTLE,
    work: (signal) => learn(parts, signal),
    next: () => QUIET, // a session that is over announces nothing
    onError: (error) => parts.log.error('learning from outcomes', error),
  });
}

async function learn(parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  judgeBySessions(parts.store, parts.resolve);
  await extractExperiences(parts, signal);
  await consolidate(parts, signal);
  if (!signal.aborted) await daily(parts);
}

async function daily({ store, resolve, keep, ask }: UpkeepParts): Promise<void> {
  if (store.now() - Number(getMeta(store.db, CLEANED) ?? 0) < DAY) return;
  setMeta(store.db, CLEANED, String(store.now()));
  if (resolve(experienceCleanup.switch)) cleanUp(store);
  await mergeExperiences(store, keep, { ask, halfLifeDays: resolve(EXPERIENCE_HALF_LIFE) });
}
