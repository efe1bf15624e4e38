import type { CleanWindow } from '../capture/protocol.ts';
import { prove } from '../knowledge/revise.ts';
import { windowByKey } from '../store/effects.ts';
import type { Store } from '../store/learning-write.ts';
import { findLearning } from '../store/learnings.ts';
import { countOccurrence, markReleased, type Occurrence, releasedKey } from '../store/recurrence.ts';

/** Lets a window that counts only when it comes again pass once, when enough sessions have met it; null holds it back. */
export function passRecurring(store: Store, window: CleanWindow, sessionsNeeded: number): CleanWindow | null {
  if (window.recurring === null) return window;
  const { db } = store;
  const { session, key, at } = window;
  const occurrence: Occurrence = {
    project: window.project?.id ?? '',
    signature: window.recurring,
    session,
    key,
    at,
  };
  const before = releasedKey(db, occurrence);
  const sessions = countOccurrence(db, occurrence);
  if (before !== null) return before === key ? window : metAgain(store, before, window);
  if (sessions < sessionsNeeded) return null;
  markReleased(db, occurrence);
  return sessions === 1 ? window : { ...window, why: [...window.why, `was met in ${sessions} sessions`] };
}

/** The note is there already: it has one more proof. */
function metAgain(store: Store, before: string, { key, signal }: CleanWindow): null {
  const id = windowByKey(store.db, before)?.learningId;
  const learning = id ? findLearning(store.db, id) : null;
  if (learning) prove(store, learning, { actor: 'capture', reason: `met again: ${signal}`, source: key });
  return null;
}
