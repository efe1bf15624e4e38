import { DaemonError } from '#contract/errors.ts';
import type {
  EntityDetail,
  EntityRelation,
  GraphEdge,
  GraphFilter,
  GraphNode,
  GraphView,
} from '#contract/graph.ts';
import type { ReadableDb } from '../db.ts';

/** The newest edges, read in one query: it blocks the daemon, so it must stay short. */
const MOST_EDGES = 50_000;
/** Edges returned; more could not be drawn legibly. */
const MOST_DRAWN = 20_000;
const MOST_LISTED = 200;

/** Notes whose edges count: live ones, and superseded ones. */
const DRAWN = `(learning.live = 1 OR learning.status = 'superseded')`;

const isOfKind = (entity: string) =>
  `(:entityType IS NULL OR (SELECT type FROM entity WHERE id = ${entity}) = :entityType)`;

/** The edges that match the filter, each once however many notes draw it; the strongest first. */
const EDGES = `
  SELECT source, target, relation.type, max(strength) AS strength, valid_from AS validFrom, valid_to AS validTo
  FROM (SELECT * FROM relation ORDER BY id DESC LIMIT :most) AS relation
  JOIN learning ON learning.seq = relation.seq AND ${DRAWN}
  WHERE (:project IS NULL OR learning.project = :project)
    AND (:relation IS NULL OR relation.type = :relation)
    AND (:at IS NULL OR (valid_from <= :at AND (valid_to IS NULL OR valid_to >= :at)))
    AND ${isOfKind('source')} AND ${isOfKind('target')}
  GROUP BY source, target, relation.type, valid_from, valid_to
  ORDER BY max(strength) DESC, max(relation.id) DESC`;

/** Mentions of entities by the newest live notes that match the filter. */
const MENTIONS = `
  SELECT entity, count(*) AS notes, min(created_at) AS first, max(created_at) AS last
  FROM (SELECT seq, created_at FROM learning WHERE live = 1 AND (:project IS NULL OR project = :project) AND (:at IS NULL OR created_at <= :at) ORDER BY seq DESC LIMIT :most) AS learning
  JOIN learning_entity ON learning_entity.seq = learning.seq
  WHERE ${isOfKind('entity')}
  GROUP BY entity`;

type NodeCounts = Pick<GraphNode, 'id' | 'degree' | 'notes' | 'since'> & { latest: number };

/** The graph to draw: bounded, the best connected entities first, then the newest. */
export function readGraph(
  db: ReadableDb,
  { project, entityType, relation, at, limit }: GraphFilter,
): GraphView {
  const asked = {
    project: project ?? null,
    entityType: entityType ?? null,
    at: at ?? null,
    most: MOST_EDGES,
  };
  const edges = db.rows<GraphEdge>(EDGES, { ...asked, relation });
  const mentions = db.rows<Mention>(MENTIONS, asked);
  const counts = countNodes(edges, mentions, relation === undefined);
  const shown = [...counts.values()]
    .toSorted((a, b) => b.degree - a.degree || b.latest - a.latest || a.id - b.id)
    .slice(0, limit);
  const nodes = named(db, shown);
  const ids = new Set(nodes.map(({ id }) => id));
  const inAll = db.count('SELECT count(*) FROM relation');
  return {
    nodes,
    edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)).slice(0, MOST_DRAWN),
    total: counts.size,
    onlyNewest: inAll > MOST_EDGES,
  };
}

interface Mention {
  entity: number;
  notes: number;
  first: number;
  last: number;
}

/** Every entity with its counts; those without an edge only when no edge type is selected. */
function countNodes(
  edges: readonly GraphEdge[],
  mentions: readonly Mention[],
  withIsolated: boolean,
): Map<number, NodeCounts> {
  const counts = new Map<number, NodeCounts>();
  const count = (id: number, degree: number, notes: number, first: number, last: number) => {
    const before = counts.get(id) ?? { id, degree: 0, notes: 0, since: first, latest: last };
    counts.set(id, {
      id,
      degree: before.degree + degree,
      notes: before.notes + notes,
      since: Math.min(before.since, first),
      latest: Math.max(before.latest, last),
    });
  };
  for (const { source, target, validFrom } of edges)
    for (const end of [source, target]) count(end, 1, 0, validFrom, validFrom);
  for (const { entity, notes, first, last } of mentions)
    if (withIsolated || counts.has(entity)) count(entity, 0, notes, first, last);
  return counts;
}

function named(db: ReadableDb, counts: readonly NodeCounts[]): GraphNode[] {
  const names = db.rows<Pick<GraphNode, 'id' | 'name' | 'type' | 'description'>>(
    'SELECT id, name, type, description FROM entity WHERE id IN (SELECT value FROM json_each(?))',
    [counts.map(({ id }) => id)],
  );
  const byId = new Map(names.map((name) => [name.id, name]));
  return counts.flatMap(({ latest: _, ...node }) => {
    const name = byId.get(node.id); // an edge may have a missing end until maintenance runs
    return name ? [{ ...name, ...node }] : [];
  });
}

/** One entity with its edges in both directions. */
export function readEntity(db: ReadableDb, name: string): EntityDetail {
  const entity = db.row<EntityDetail['entity']>(
    'SELECT id, name, type, description FROM entity WHERE name = ?',
    name,
  );
  if (!entity) throw new DaemonError('not-found', `the entity ${name}`);
  const relations = db.rows<Omit<EntityRelation, 'outgoing'> & { outgoing: number }>(
    `SELECT relation.type, strength, valid_from AS validFrom, valid_to AS validTo, relation.description,
            source = :id AS outgoing, other.name AS other, learning.id AS learningId
     FROM relation
     JOIN learning ON learning.seq = relation.seq AND ${DRAWN}
     JOIN entity AS other ON other.id = CASE source WHEN :id THEN target ELSE source END
     WHERE relation.id IN (SELECT id FROM relation WHERE source = :id UNION SELECT id FROM relation WHERE target = :id)
     ORDER BY valid_to IS NOT NULL, strength DESC, relation.id DESC LIMIT :most`,
    { id: entity.id, most: MOST_LISTED },
  );
  const notes = db.rows<EntityDetail['notes'][number]>(
    `SELECT learning.id, title, project, status, updated_at AS updatedAt FROM learning_entity
     JOIN learning ON learning.seq = learning_entity.seq AND ${DRAWN}
     WHERE learning_entity.entity = :id ORDER BY live DESC, updated_at DESC LIMIT :most`,
    { id: entity.id, most: MOST_LISTED },
  );
  return { entity, relations: relations.map((edge) => ({ ...edge, outgoing: edge.outgoing === 1 })), notes };
}
