import { flag, integer } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { WritableDb } from '../store/db.ts';
import type { GraphMending } from '../store/changes.ts';
import {
  dropDanglingEdges,
  dropDanglingMentions,
  dropOrphans,
  edgeIds,
  entityIds,
  isolatedAmong,
  mentionedIds,
  relink,
} from '../store/graph/upkeep.ts';
import { atOnce } from '../platform/turns.ts';
import { slices } from '../platform/slices.ts';

export const graphMaintenance = {
  id: 'knowledge.graph-maintenance',
  seeds: ['C3'],
  doc: 'Repairs the graph: removes dangling entities and edges, and links isolated entities.',
  switch: flag('REFLECT_MAINTAIN_GRAPH', true, 'Maintain the graph after a number of drains'),
  knobs: {
    every: integer('REFLECT_MAINTAIN_EVERY', {
      default: 10,
      min: 1,
      max: 10_000,
      doc: 'The number of drains after which the graph is maintained',
    }),
  },
} satisfies PortCard;

const SLICE = 100; // rows

/** Repairs the graph slice by slice. A graph in order is not written to, and a second run finds nothing. */
export function* maintain(db: WritableDb): Generator<void, GraphMending> {
  const mending: GraphMending = { dangling: 0, relinked: 0, orphans: 0 };
  yield* inSlices(db, edgeIds, (ids) => (mending.dangling += dropDanglingEdges(db, ids)));
  yield* inSlices(db, mentionedIds, (ids) => (mending.dangling += dropDanglingMentions(db, ids)));
  yield* inSlices(db, entityIds, (ids) => {
    mending.orphans += dropOrphans(db, ids);
    // One by one: the edge that links the first may also link the second.
    for (const isolated of isolatedAmong(db, ids)) if (relink(db, isolated)) mending.relinked += 1;
  });
  if (Object.values(mending).some((count: number) => count > 0))
    db.changes.announce({ type: 'graph.maintained', mending });
  return mending;
}

function* inSlices(
  db: WritableDb,
  next: (db: WritableDb, after: number, limit: number) => number[],
  work: (ids: number[]) => void,
): Generator<void> {
  for (const ids of slices<number>((last) => next(db, last ?? 0, SLICE))) {
    work(ids);
    yield;
  }
}

class Rehearsed extends Error {}

/** Previews maintenance by running it and rolling it back, so the preview cannot differ. */
export function previewMaintenance(db: WritableDb): GraphMending {
  let mending: GraphMending = { dangling: 0, relinked: 0, orphans: 0 };
  try {
    db.transaction(() => {
      mending = atOnce(maintain(db));
      throw new Rehearsed();
    })();
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  return mending;
}
