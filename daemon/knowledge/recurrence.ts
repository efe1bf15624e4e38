import type { Learning, Note } from '#contract/entities.ts';
import type { UserResolve } from '../ports/knob.ts';
import {
  candidatesNamed,
  isOneOffRequest,
  wasSaidInAnotherSession,
  type MomentOrigin,
} from '../store/learnings/candidates.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { changeLearning, type Saved, type Store } from '../store/learnings/write.ts';
import { releaseIfElsewhere } from './branch-release.ts';
import { promote, promoteBy } from './candidates.ts';
import { isRestatement } from './contradictions.ts';
import { type Evidence, type Ingested, prove } from './revise.ts';
import { recurrence } from './same-meaning.ts';

/**
 * A note that was said before changes what is known instead of becoming another note: a learning gets a proof, a
 * candidate of another session becomes a learning in the better words of the two, unless it is a one-off request. Null
 * for a note that is new.
 */
export function recur(
  store: Store,
  note: Note,
  said: MomentOrigin,
  evidence: Evidence,
  { alike = [], resolve }: { alike?: readonly string[] | undefined; resolve: UserResolve },
): Ingested | null {
  if (!resolve(recurrence.switch)) return null;
  const known = [...sameWords(store, note), ...alike.map((id) => findLearning(store.db, id))].find(
    (each): each is Learning => each?.status === 'candidate' || (each !== null && isLive(each)),
  );
  if (!known) return null;
  // A learning beside a learning is a question of twins.
  if (isLive(known) && isLive(note)) return null;
  const { learning, changeId } = strengthen(store, known, note, said, evidence);
  return {
    learning: releaseIfElsewhere(store, learning, evidence.branch),
    changeId,
    outcome: changeId === 0 ? 'known' : 'updated',
  };
}

function strengthen(
  store: Store,
  known: Learning,
  note: Note,
  said: MomentOrigin,
  evidence: Evidence,
): Saved {
  if (isLive(known)) return prove(store, known, evidence);
  const isBetter = note.confidence > known.confidence;
  const better = isBetter ? note : noteOf(known);
  const isElsewhere = !isOneOffRequest(better) && wasSaidInAnotherSession(store.db, known.id, said);
  if (isElsewhere || isLive(note)) {
    const confidence = isElsewhere ? eitherHolds(known.confidence, note.confidence) : note.confidence;
    return promoteBy(store, { ...better, confidence }, known.id, isElsewhere ? again(evidence) : evidence);
  }
  return isBetter ? reword(store, note, known, evidence) : prove(store, known, evidence);
}

/** A note of these very words is known: a candidate of another session becomes a learning, all else gets a proof. */
export function recordRecurrence(
  store: Store,
  known: Learning,
  said: MomentOrigin,
  evidence: Evidence,
): Saved {
  return known.status === 'candidate' &&
    !isOneOffRequest(known) &&
    wasSaidInAnotherSession(store.db, known.id, said)
    ? promote(store, known.id, again(evidence))
    : prove(store, known, evidence);
}

const again = (evidence: Evidence): Evidence => ({
  ...evidence,
  reason: `another session says the same: ${evidence.reason}`,
});

/** Two sessions that are each somewhat sure are surer together. */
const eitherHolds = (one: number, other: number) => Math.round((1 - (1 - one) * (1 - other)) * 100) / 100;

const sameWords = ({ db }: Store, note: Note): Learning[] =>
  candidatesNamed(db, note.title, note.project).filter(({ title }) => isRestatement(title, note.title));

/** The same session said it better: still one candidate. */
function reword(store: Store, note: Note, known: Learning, { actor, reason, source }: Evidence): Saved {
  return changeLearning(store, known.id, note, { actor, kind: 'update', reason, source, proofs: 1 });
}
