import type { CleanMoment } from '../capture/protocol.ts';
import { releaseIfElsewhere } from '../knowledge/branch-release.ts';
import { promote } from '../knowledge/candidates.ts';
import { prove } from '../knowledge/revise.ts';
import { momentByKey } from '../store/capture/effects.ts';
import type { Store } from '../store/learnings/write.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { countOccurrence, markReleased, type Occurrence, releasedKey } from '../store/capture/recurrence.ts';

/** Lets a moment that counts only on recurrence pass once enough sessions have met it; null holds it back. */
export function passRecurring(store: Store, moment: CleanMoment, sessionsNeeded: number): CleanMoment | null {
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
