import type { Learning } from '#contract/entities.ts';
import type { TeamPolicy, TeamSpace } from '#contract/team.ts';
import type { ReadableDb } from '../store/db.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { latestForm } from '../store/learnings/questions.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { listOffers, listPolicies, type OwnNote, ownNotes } from '../store/team.ts';
import { ARCHIVED, hashOf } from './shared-note.ts';

const MOST_OFFERS = 100;

/**
 * Finds what a person may want to publish. It is asked after every change, so an own note is read again only when it
 * changed.
 */
export class Offers {
  readonly #db: ReadableDb;
  readonly #hashes = new Map<string, { updatedAt: number; hash: string }>();

  constructor(db: ReadableDb) {
    this.#db = db;
  }

  /** Own notes that proved themselves, and published ones that changed since, in the projects with this policy. */
  of(space: string, policy: TeamPolicy): TeamSpace['offers'] {
    const chosen = new Map(listPolicies(this.#db, space).map((row) => [row.project, row.policy]));
    if (policy === 'auto' && ![...chosen.values()].includes('auto')) return [];
    const changed = ownNotes(this.#db, space)
      .flatMap((own) => this.#changed(own) ?? [])
      .filter(({ project }) => (chosen.get(project) ?? 'ask') === policy)
      .map(({ id, title, project }) => ({ id, title, project, changed: true }));
    const fresh = listOffers(this.#db, space, policy, MOST_OFFERS).map((offer) => ({
      ...offer,
      changed: false,
    }));
    return [...changed, ...fresh].slice(0, MOST_OFFERS);
  }

  /** The note as it is now if the space has other words for it. */
  #changed({ localId, hash, updatedAt, live }: OwnNote): Learning | null {
    const known = this.#hashes.get(localId);
    if (live === 1 && known?.updatedAt === updatedAt && known.hash === hash) return null;
    const learning = findLearning(this.#db, latestForm(this.#db, localId));
    if (!learning || learning.status === 'proposed') return null; // held back here, which is no decision about the space
    const now = isLive(learning) ? hashOf(noteOf(learning)) : ARCHIVED;
    if (learning.id === localId) this.#hashes.set(localId, { updatedAt: learning.updatedAt, hash: now });
    return now === hash ? null : learning;
  }
}
