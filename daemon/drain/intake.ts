import type { Turn } from '../capture/pipeline.ts';
import type { Batch, CleanWindow } from '../capture/protocol.ts';
import { asOneUnit, type Store } from '../store/learning-write.ts';
import { rememberProject } from '../store/learnings.ts';
import { addToCounter } from '../store/meta.ts';
import { markSwept, savePosition } from '../store/transcripts.ts';
import { appendTurn, enqueueWindow } from '../store/windows.ts';
import { chunkHash } from './chunk-dedup.ts';
import { carryOutEffects, noteEffects } from './effects.ts';
import { passRecurring } from './recurring.ts';

/** What a writer gets to see of a transcript. */
export interface WindowPayload {
  quote: string;
  type: CleanWindow['type'];
  speculative: boolean;
  why: string[];
  score: number;
  span: { start: number; end: number };
  turns: Turn[];
}

export interface IntakeOptions {
  /** How long a window may still be added to. */
  settleMs: number;
  /** In how many sessions a recurring one must be met. */
  sessionsNeeded: number;
}

/** Stores a stretch of transcript with the position it reaches, as one: a crash repeats all of it or none. */
export function takeIn(
  store: Store,
  batch: Batch,
  { settleMs, sessionsNeeded }: IntakeOptions,
): Array<{ id: number; window: CleanWindow }> {
  const { db } = store;
  const now = store.now();
  return asOneUnit(store, () => {
    const fresh = batch.windows.flatMap((noticed) => {
      if (noticed.project) rememberProject(db, noticed.project, now);
      const window = passRecurring(store, noticed, sessionsNeeded);
      const id =
        window && enqueueWindow(db, toRow(window, batch.position.agent, batch.position.path), now + settleMs);
      return id === null ? [] : [{ id, window: noticed }];
    });
    for (const { key, turn } of batch.continuations) appendTurn(db, key, JSON.stringify(turn));
    for (const [kind, times] of Object.entries(batch.redactions)) addToCounter(db, `redacted:${kind}`, times);
    noteEffects(store, batch);
    carryOutEffects(store);
    savePosition(db, batch.position, batch.counts);
    if (batch.sweptMtime !== null) markSwept(db, batch.position.path, batch.sweptMtime);
    return fresh;
  });
}

function toRow(window: CleanWindow, agent: string, transcript: string) {
  const { key, signal, session, at, branch, quote, type, speculative, why, score, span, turns, project } =
    window;
  const payload: WindowPayload = { quote, type, speculative, why, score, span, turns };
  return {
    key,
    signal,
    agent,
    session,
    transcript,
    at,
    branch,
    project: project?.id ?? '',
    chunkHash: chunkHash(quote),
    payload: JSON.stringify(payload),
  };
}
