import type { CleanWindow } from '../capture/protocol.ts';
import { addProof } from '../store/learnings.ts';
import type { WritableDb } from '../store/db.ts';
import { windowByKey } from '../store/effects.ts';
import { countOccurrence, markReleased, type Occurrence, releasedKey } from '../store/recurrence.ts';

/** Lets a window that counts only when it comes again pass once, when enough sessions have met it; null holds it back. */
export function passRecurring(db: WritableDb, window: CleanWindow, sessionsNeeded: number): CleanWindow | null {
  if (window.recurring === null) return window;
  const { session, key, at } = window;
  const occurrence: Occurrence = { project: window.project?.id ?? '', signature: window.recurring, session, key, at };
  const before = releasedKey(db, occurrence);
  const sessions = countOccurrence(db, occurrence);
  if (before !== null) return before === key ? window : metAgain(db, before);
  if (sessions < sessionsNeeded) return null;
  markReleased(db, occurrence);
  return sessions === 1 ? window : { ...window, why: [...window.why, `was met in ${sessions} sessions`] };
}

/** The note is there already: it has one more proof. */
function metAgain(db: WritableDb, key: string): null {
  const learning = windowByKey(db, key)?.learningId;
  if (learning) addProof(db, learning);
  return null;
}
