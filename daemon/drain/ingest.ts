import type { Batch, CleanMoment } from '../capture/protocol.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { rememberProject, findLearning } from '../store/learnings/learnings.ts';
import { countRedactions } from '../store/meta.ts';
import { markSwept, savePosition } from '../store/capture/transcripts.ts';
import { recordSessionActivity } from '../store/capture/sessions.ts';
import { appendTurn, completeMoment, enqueueMoment, settleAgain } from '../store/capture/moments.ts';
import { chunkHash } from './chunk-dedup.ts';
import { carryOutEffects, noteEffects } from './effects.ts';
import { MOMENT_PAYLOAD } from '../store/columns.ts';
import { releaseIfElsewhere } from '../knowledge/branch-release.ts';
import { promote } from '../knowledge/candidates.ts';
import { prove } from '../knowledge/revise.ts';
import { momentByKey } from '../store/capture/effects.ts';
import { countOccurrence, markReleased, type Occurrence, releasedKey } from '../store/capture/recurrence.ts';

export interface IntakeOptions {
  /** Silence after which a moment is written down although nothing says that its turn is over. */
  settleMs: number;
  /** Number of sessions in which a recurring moment must be seen. */
  sessionsNeeded: number;
}

/** Stores a stretch of transcript with the position it reaches, as one: a crash repeats all of it or none. */
export function ingestBatch(
  store: Store,
  batch: Batch,
  { settleMs, sessionsNeeded }: IntakeOptions,
): Array<{ id: number; moment: CleanMoment }> {
  const { db } = store;
  const now = store.now();
  return asOneUnit(store, () => {
    const fresh = batch.moments.flatMap((noticed) => {
      if (noticed.project) rememberProject(db, noticed.project, now);
      const moment = passRecurring(store, noticed, sessionsNeeded);
      const id =
        moment && enqueueMoment(db, toRow(moment, batch.position.agent, batch.position.path), now + settleMs);
      return id === null ? [] : [{ id, moment: noticed }];
    });
    if (batch.counts.records > 0) settleAgain(db, batch.position.path, now, now + settleMs);
    for (const { key, turn } of batch.continuations) appendTurn(db, key, JSON.stringify(turn));
    for (const key of batch.complete) completeMoment(db, key, now);
    countRedactions(db, batch.redactions);
    for (const { project, ...sign } of batch.sessions)
      recordSessionActivity(db, { ...sign, agent: batch.position.agent, project: project?.id ?? '' });
    noteEffects(store, batch);
    carryOutEffects(store);
    savePosition(db, batch.position, batch.counts);
    if (batch.sweptMtime !== null) markSwept(db, batch.position.path, batch.sweptMtime);
    return fresh;
  });
}

function toRow(moment: CleanMoment, agent: string, transcript: string) {
  const {
    key,
    signal,
    session,
    at,
    branch,
    quote,
    type,
    speculative,
    cues,
    why,
    score,
    span,
    turns,
    project,
  } = moment;
  const payload = { quote, type, speculative, cues, why, score, span, turns };
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
    payload: MOMENT_PAYLOAD.write(payload),
  };
}

/** Lets a moment that counts only on recurrence pass once enough sessions have met it; null holds it back. */
function passRecurring(store: Store, moment: CleanMoment, sessionsNeeded: number): CleanMoment | null {
  if (moment.recurring === null) return moment;
  const { db } = store;
  const { session, key, at } = moment;
  const occurrence: Occurrence = {
    project: moment.project?.id ?? '',
    signature: moment.recurring,
    session,
    key,
    at,
  };
  const before = releasedKey(db, occurrence);
  const sessions = countOccurrence(db, occurrence);
  if (before !== null) return before === key ? moment : metAgain(store, before, moment);
  if (sessions < sessionsNeeded) return null;
  markReleased(db, occurrence);
  return sessions === 1 ? moment : { ...moment, why: [...moment.why, `came up in ${sessions} sessions`] };
}

/** The note is there already: a candidate recurs and becomes a learning, a learning has one more proof. */
function metAgain(store: Store, before: string, { key, signal, branch }: CleanMoment): null {
  const id = momentByKey(store.db, before)?.learningId;
  const learning = id ? findLearning(store.db, id) : null;
  if (learning) {
    const evidence = { actor: 'capture', reason: `met again: ${signal}`, source: key } as const;
    if (learning.status === 'candidate') promote(store, learning.id, evidence);
    else prove(store, learning, evidence);
    releaseIfElsewhere(store, learning, branch);
  }
  return null;
}
