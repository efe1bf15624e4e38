import type { Output } from '#contract/methods.ts';
import type { Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { asOneUnit, changeLearning, type Reason, type Saved, type Store } from '../store/learnings/write.ts';
import type { Evidence } from './revise.ts';

/** A decision about several candidates, undone as one by its first change; null when it changed nothing. */
type Decided = Output<'candidates.keep'>;

/** A person keeps candidates as learnings, one of them perhaps in other words. */
export function keepCandidates(
  store: Store,
  ids: string[],
  patch: Partial<Note>,
  why: Pick<Reason, 'actor' | 'reason'>,
): Decided {
  if (ids.length > 1 && Object.keys(patch).length > 0)
    throw new DaemonError('bad-input', 'Edit one candidate at a time.');
  return decideAll(store, ids, { ...patch, ...KEPT }, { ...why, kind: 'promote' });
}

/** Dropped is not archived: it never was a learning, so nothing that was made of learnings is outdated by it. */
export function dropCandidates(store: Store, ids: string[], why: Pick<Reason, 'actor' | 'reason'>): Decided {
  return decideAll(store, ids, { status: 'rejected' }, { ...why, kind: 'archive' });
}

const KEPT = { status: 'active', speculative: false } as const satisfies Partial<Note>;

function decideAll(
  store: Store,
  ids: string[],
  patch: Partial<Note>,
  why: Pick<Reason, 'actor' | 'reason' | 'kind'>,
): Decided {
  return asOneUnit(store, () => {
    let first: number | undefined;
    const candidates = [...new Set(ids)].map((id) => getCandidate(store, id));
    for (const { id } of candidates) {
      const { changeId } = changeLearning(store, id, patch, {
        ...why,
        unit: first,
      });
      first ??= changeId;
    }
    return { changed: candidates.length, changeId: first ?? null };
  });
}

/** Makes a candidate a learning because something bears it out: it recurs, its outcome confirms it. */
export function promote(store: Store, id: string, { actor, reason, source }: Evidence): Saved {
  getCandidate(store, id);
  return changeLearning(store, id, KEPT, { actor, kind: 'promote', reason, source, proofs: 1 });
}

/**
 * Makes a candidate a learning in the words of a note that says the same better: an agent's, a model's, or another
 * session's. It stays the same note, so its history has the old words and undoing the change restores them.
 */
export function promoteBy(
  store: Store,
  note: Note,
  candidateId: string,
  { actor, reason, source }: Evidence,
): Saved {
  const candidate = getCandidate(store, candidateId);
  const better = {
    ...note,
    ...KEPT,
    provenance: note.provenance.quote ? note.provenance : candidate.provenance,
  };
  return changeLearning(store, candidateId, better, { actor, kind: 'promote', reason, source, proofs: 1 });
}

function getCandidate({ db }: Store, id: string): Learning {
  const learning = getLearning(db, id);
  if (learning.status !== 'candidate')
    throw new DaemonError('conflict', `${id} is no longer a candidate: it is ${learning.status}`);
  return learning;
}
