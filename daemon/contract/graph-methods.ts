import * as z from 'zod';
import { Entity } from './entities.ts';
import { EntityDetail, GraphFilter, GraphView } from './graph.ts';
import { method } from './method.ts';

/** What notes are about and how that hangs together. Part of the one table of methods. */
export const GRAPH_METHODS = {
  'graph.read': method(
    'The names notes mention and the typed edges between them, the best connected first',
    GraphFilter,
    GraphView,
    { redacts: false },
  ),
  'graph.entity': method(
    'One name with every edge at it and the notes that mention it',
    z.strictObject({ name: Entity.shape.name.max(400) }),
    EntityDetail,
    { redacts: false },
  ),
};
