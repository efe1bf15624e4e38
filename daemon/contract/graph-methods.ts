import * as z from 'zod';
import { Entity } from './entities.ts';
import { EntityDetail, GraphFilter, GraphView } from './graph.ts';
import { method } from './method.ts';

/** The entities notes mention and the relations between them. Part of the one table of methods. */
export const GRAPH_METHODS = {
  'graph.read': method(
    'List the entities that notes mention and the relations between them, best connected first',
    GraphFilter,
    GraphView,
    { redacts: false },
  ),
  'graph.entity': method(
    'Get one entity with its relations and the notes that mention it',
    z.strictObject({ name: Entity.shape.name.max(400) }),
    EntityDetail,
    { redacts: false },
  ),
};
