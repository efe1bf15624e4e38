import { DaemonError } from '#contract/errors.ts';
import type { EntityDetail, EntityRelation, GraphEdge, GraphFilter, GraphNode, GraphView } from '#contract/graph.ts';
import type { ReadableDb } from './db.ts';

/** Edges looked at in one go, the newest: the daemon answers others meanwhile, so this must stay short. */
const MOST_EDGES = 50_000;
/** Edges handed out; more could neither be drawn nor told apart. */
const MOST_DRAWN = 20_000;
const MOST_LISTED = 200;

/** Notes whose edges count: what is true, and what was until a newer note took its place. */
const SPEAKING = `(learning.live = 1 OR learning.status = 'superseded')`;

/** The edges that were asked for, and what is on live notes with no edge at all, as far as the filter lets that speak. */
const ASKED = `
  edge AS MATERIALIZED (
    SELECT relation.* FROM (SELECT * FROM relation ORDER BY id DESC LIMIT :mostEdges) AS relation
    JOIN learning ON learning.seq = relation.seq AND ${SPEAKING}
    JOIN entity AS origin ON origin.id = relation.source
    JOIN entity AS goal ON goal.id = relation.target
    WHERE (:project IS NULL OR learning.project = :project)
      AND (:relation IS NULL OR relation.type = :relation)
      AND (:entityType IS NULL OR (origin.type = :entityType AND goal.type = :entityType))
      AND (:at IS NULL OR (valid_from <= :at AND (valid_to IS NULL OR valid_to >= :at)))
  ),
  mention AS (
    SELECT learning_entity.entity, learning.created_at AS at FROM learning
    JOIN learning_entity ON learning_entity.seq = learning.seq
    WHERE learning.live = 1 AND :relation IS NULL
      AND learning.seq IN (SELECT seq FROM learning WHERE live = 1 ORDER BY seq DESC LIMIT :mostEdges)
      AND (:project IS NULL OR learning.project = :project)
      AND (:at IS NULL OR learning.created_at <= :at)
  ),
  met AS (
    SELECT source AS entity, 1 AS edges, valid_from AS at FROM edge
    UNION ALL SELECT target, 1, valid_from FROM edge
    UNION ALL SELECT entity, 0, at FROM mention
  ),
  node AS MATERIALIZED (
    SELECT entity.id, sum(edges) AS degree, min(at) AS since, max(at) AS latest FROM met JOIN entity ON entity.id = met.entity
    WHERE :entityType IS NULL OR entity.type = :entityType
    GROUP BY entity.id
  )`;

/** The graph as it is drawn: bounded, the best connected names first, and of equals the newest. */
export function readGraph(db: ReadableDb, { project, entityType, relation, at, limit }: GraphFilter): GraphView {
  const asked = { project: project ?? null, entityType: entityType ?? null, relation: relation ?? null, at: at ?? null, mostEdges: MOST_EDGES };
  const rows = db.prepare<[object], GraphNode & { total: number }>(`
    WITH ${ASKED},
    shown AS (SELECT *, count(*) OVER () AS total FROM node ORDER BY degree DESC, latest DESC, id LIMIT :limit)
    SELECT shown.id, entity.name, entity.type, entity.description, shown.degree, shown.since, shown.total,
      (SELECT count(*) FROM learning_entity JOIN learning ON learning.seq = learning_entity.seq AND learning.live = 1 WHERE learning_entity.entity = shown.id) AS notes
    FROM shown JOIN entity ON entity.id = shown.id
    ORDER BY shown.degree DESC, shown.latest DESC, shown.id
  `).all({ ...asked, limit });
  const edges = db.prepare<[object], GraphEdge>(`
    WITH ${ASKED}
    SELECT source, target, type, max(strength) AS strength, valid_from AS validFrom, valid_to AS validTo FROM edge
    WHERE source IN (SELECT value FROM json_each(:ids)) AND target IN (SELECT value FROM json_each(:ids))
    GROUP BY source, target, type, valid_from, valid_to ORDER BY max(strength) DESC, max(id) DESC LIMIT :mostDrawn
  `).all({ ...asked, ids: JSON.stringify(rows.map(({ id }) => id)), mostDrawn: MOST_DRAWN });
  const inAll = db.prepare<[], number>('SELECT count(*) FROM relation').pluck().get() ?? 0;
  return { nodes: rows.map(({ total: _, ...node }) => node), edges, total: rows[0]?.total ?? 0, onlyNewest: inAll > MOST_EDGES };
}

/** One name, from whichever end its edges are drawn. */
export function readEntity(db: ReadableDb, name: string): EntityDetail {
  const entity = db.prepare<[string], EntityDetail['entity']>('SELECT id, name, type, description FROM entity WHERE name = ?').get(name);
  if (!entity) throw new DaemonError('not-found', `the entity ${name}`);
  const relations = db.prepare<[object], Omit<EntityRelation, 'outgoing'> & { outgoing: number }>(`
    SELECT relation.type, strength, valid_from AS validFrom, valid_to AS validTo, relation.description,
           source = :id AS outgoing, other.name AS other, learning.id AS learningId
    FROM relation
    JOIN learning ON learning.seq = relation.seq AND ${SPEAKING}
    JOIN entity AS other ON other.id = CASE source WHEN :id THEN target ELSE source END
    WHERE relation.id IN (SELECT id FROM relation WHERE source = :id UNION SELECT id FROM relation WHERE target = :id)
    ORDER BY valid_to IS NOT NULL, strength DESC, relation.id DESC LIMIT :most
  `).all({ id: entity.id, most: MOST_LISTED });
  const notes = db.prepare<[object], EntityDetail['notes'][number]>(`
    SELECT learning.id, title, project, status, updated_at AS updatedAt FROM learning_entity
    JOIN learning ON learning.seq = learning_entity.seq AND ${SPEAKING}
    WHERE learning_entity.entity = :id ORDER BY live DESC, updated_at DESC LIMIT :most
  `).all({ id: entity.id, most: MOST_LISTED });
  return { entity, relations: relations.map((edge) => ({ ...edge, outgoing: edge.outgoing === 1 })), notes };
}
