import type { TeamPolicy, TeamSpace } from '#contract/team.ts';
import type { ReadableDb } from '../store/db.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { latestForm } from '../store/learnings/questions.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { listOffers, listPolicies, teamNotes } from '../store/team.ts';
import { ARCHIVED, hashOf } from './shared-note.ts';

const MOST_OFFERS = 100;

/** Own notes that proved themselves, and published ones that changed since, in the projects with this policy. */
export function offersOf(db: ReadableDb, space: string, policy: TeamPolicy): TeamSpace['offers'] {
  const policies = new Map(listPolicies(db, space).map(({ project, policy: chosen }) => [project, chosen]));
  const changed = teamNotes(db, space, 'own')
    .flatMap(({ localId, hash }) => {
      const learning = findLearning(db, latestForm(db, localId));
      if (!learning) return [];
      const now = isLive(learning) ? hashOf(noteOf(learning)) : ARCHIVED;
      return now === hash ? [] : [learning];
    })
    .filter(({ project }) => (policies.get(project) ?? 'ask') === policy)
    .map(({ id, title, project }) => ({ id, title, project, changed: true }));
  const fresh = listOffers(db, space, policy, MOST_OFFERS).map((offer) => ({ ...offer, changed: false }));
  return [...changed, ...fresh].slice(0, MOST_OFFERS);
}
