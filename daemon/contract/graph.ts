import * as z from 'zod';
import { Entity, Learning, Relation } from './entities.ts';
import { count, epochMs } from './fields.ts';

/** A name that notes mention, with how much hangs on it. */
export const GraphNode = Entity.extend({
  id: count,
  description: z.string(),
  /** Edges at it, among those that were asked for. */
  degree: count,
  /** Live notes that mention it. */
  notes: count,
  /** When it was first mentioned. */
  since: epochMs,
});
export type GraphNode = z.infer<typeof GraphNode>;

/** A relation between two entities, stated by one note; valid until its end date or until the note is superseded. */
export const GraphEdge = z.strictObject({
  source: count,
  target: count,
  type: Relation.shape.type,
  strength: count,
  validFrom: epochMs,
  validTo: epochMs.nullable(),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

export const GraphView = z.strictObject({
  /** The best connected first. */
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  /** How many names there are in all, shown or not. */
  total: count,
  /** True if only the newest edges were read, because there are too many. */
  onlyNewest: z.boolean(),
});
export type GraphView = z.infer<typeof GraphView>;

export const GraphFilter = z.strictObject({
  project: z.string().max(500).optional().describe('Only what notes of this project say'),
  entityType: Entity.shape.type.optional().describe('Only names of this kind'),
  relation: Relation.shape.type.optional().describe('Only edges of this kind'),
  at: epochMs.optional().describe('Only what was true at this moment'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(5_000)
    .default(1_000)
    .describe('At most this many names: the best connected, then the newest'),
});
export type GraphFilter = z.infer<typeof GraphFilter>;

/** An edge as it is read from one of its ends. */
export const EntityRelation = GraphEdge.omit({ source: true, target: true }).extend({
  /** True if the entity is its source. */
  outgoing: z.boolean(),
  other: z.string(),
  description: z.string(),
  learningId: Learning.shape.id,
});
export type EntityRelation = z.infer<typeof EntityRelation>;

export const EntityDetail = z.strictObject({
  entity: Entity.extend({ id: count, description: z.string() }),
  /** The strongest first, at most 200. */
  relations: z.array(EntityRelation),
  /** The newest first, at most 200. */
  notes: z.array(Learning.pick({ id: true, title: true, project: true, status: true, updatedAt: true })),
});
export type EntityDetail = z.infer<typeof EntityDetail>;
