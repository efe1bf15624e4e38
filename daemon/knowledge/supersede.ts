import type { Relation } from '#contract/entities.ts';
import { changeLearning, type Reason, type Saved, type Store } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';

/** Supersedes a learning with another. It held until now, so its edges are closed, not deleted (A2). */
export function supersede(store: Store, id: string, by: string, why: Reason): Saved {
  const { relations } = getLearning(store.db, id);
  return changeLearning(
    store,
    id,
    {
      status: 'superseded',
      isLatest: false,
      supersededBy: by,
      relations: relations.map((edge) => closed(edge, store.now())),
    },
    why,
  );
}

const closed = (edge: Relation, at: number): Relation => ({
  ...edge,
  validTo: edge.validTo ?? Math.max(at, edge.validFrom ?? 0),
});

/** The new edges of a learning plus the removed ones, closed now, because they held until now. */
export function succeedingRelations(before: Relation[], after: Relation[], at: number): Relation[] {
  const said = new Set(after.map(edgeKey));
  return [...before.filter((edge) => !said.has(edgeKey(edge))).map((edge) => closed(edge, at)), ...after];
}

const edgeKey = ({ source, type, target }: Relation) =>
  JSON.stringify([source.toLowerCase(), type, target.toLowerCase()]);
