import type { Handlers } from '#contract/methods.ts';
import { readEntity, readGraph } from '../store/graph/view.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function graphHandlers({ store: { db } }: Pick<DaemonParts, 'store'>) {
  return {
    'graph.read': (filter) => readGraph(db, filter),
    'graph.entity': ({ name }) => readEntity(db, name),
  } satisfies Partial<Handlers>;
}
