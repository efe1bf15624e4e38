import type { TeamSpace } from '#contract/team.ts';
import type { ReadableDb } from '../store/db.ts';
import { countOutbox, countTeamNotes, listPolicies, listRefusals, type SpaceRow } from '../store/team.ts';
import type { Offers } from './offers.ts';
import type { SpaceSync } from './sync.ts';

/** A space as its member sees it: the connection, what came and went, and what waits. */
export function describeSpace(db: ReadableDb, row: SpaceRow, sync: SpaceSync, offers: Offers): TeamSpace {
  const { name: space, url, everything, cursor } = row;
  const counts = countTeamNotes(db, space);
  return {
    space,
    url,
    login: sync.login,
    role: sync.role,
    ...sync.state,
    everything: everything === 1,
    position: cursor,
    published: counts.own,
    received: counts.copy,
    proven: counts.proof,
    unsent: countOutbox(db, space),
    refused: listRefusals(db, space).map(({ noteId: _, ...refusal }) => refusal),
    policies: listPolicies(db, space),
    offers: sync.role === 'reader' ? [] : offers.of(space, 'ask'),
  };
}
