import type { Note } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

/** Replaces the entities and edges of a note whenever it is written. A candidate has none until it is a learning. */
export function replaceGraph(db: WritableDb, seq: number, note: Note, now: number): void {
  const known = knownSince(db, seq);
  db.run('DELETE FROM learning_entity WHERE seq = ?', seq);
  db.run('DELETE FROM relation WHERE seq = ?', seq);
  if (note.status === 'candidate') return;
  const link = db.prepare('INSERT OR IGNORE INTO learning_entity (entity, seq) VALUES (?, ?)');
  for (const { name, type, description } of note.entities)
    link.run(entityId(db, name, type, description), seq);
  const relate = db.prepare(`
    INSERT INTO relation (seq, source, target, type, description, strength, committed_at, valid_from, valid_to)
    VALUES (:seq, :source, :target, :type, :description, :strength, :committedAt, :validFrom, :validTo)
  `);
  for (const {
    source,
    target,
    type,
    description,
    strength,
    committedAt,
    validFrom,
    validTo,
  } of note.relations) {
    const ends = { source: entityId(db, source, 'concept', ''), target: entityId(db, target, 'concept', '') };
    const committed = committedAt ?? known.get(edgeKey({ ...ends, type })) ?? now;
    relate.run({
      ...ends,
      seq,
      type,
      description,
      strength,
      committedAt: committed,
      validFrom: validFrom ?? committed,
      validTo,
    });
  }
}

const edgeKey = ({ source, target, type }: { source: number; target: number; type: string }) =>
  `${source} ${type} ${target}`;

/** When each edge of a note was learned; rewriting the note keeps these times. */
function knownSince(db: ReadableDb, seq: number): Map<string, number> {
  const edges = db.rows<{ source: number; target: number; type: string; at: number }>(
    'SELECT source, target, type, committed_at AS at FROM relation WHERE seq = ?',
    seq,
  );
  return new Map(edges.map((edge) => [edgeKey(edge), edge.at]));
}

function entityId(db: WritableDb, name: string, type: string, description: string): number {
  db.insert('OR IGNORE INTO entity (name, type, description)', { name, type, description });
  return db.value<number>('SELECT id FROM entity WHERE name = ?', name) as number;
}

const MOST_NAMES = 200;

/** Entities a question names: its words, and runs of up to three of them, as they are written. */
export function entitiesNamed(db: ReadableDb, query: string): number[] {
  const words = query
    .split(/[\s,;:!?"'()]+/)
    .map((word) => word.replace(/^[`.]+|[`.]+$/g, ''))
    .filter((word) => word.length > 1);
  const names = words.flatMap((_, start) =>
    [1, 2, 3]
      .filter((length) => start + length <= words.length)
      .map((length) => words.slice(start, start + length).join(' ')),
  );
  return db.values<number>('SELECT id FROM entity WHERE name IN (SELECT value FROM json_each(?))', [
    [...new Set(names)].slice(0, MOST_NAMES),
  ]);
}

export function entitiesOnNotes(db: ReadableDb, seqs: number[]): number[] {
  return db.values<number>(
    'SELECT DISTINCT entity FROM learning_entity WHERE seq IN (SELECT value FROM json_each(?))',
    [seqs],
  );
}

export function entityNames(db: ReadableDb, ids: number[]): Map<number, string> {
  const rows = db
    .prepare<[string], [number, string]>(
      'SELECT id, name FROM entity WHERE id IN (SELECT value FROM json_each(?))',
    )
    .raw()
    .all(JSON.stringify(ids));
  return new Map(rows);
}

export interface Edge {
  source: number;
  target: number;
  type: string;
  strength: number;
}

/** An entity with more edges or notes is a hub: following it would reach everything. */
const HUB = 50;

/**
 * Edges at these entities, without hubs, from live notes of the shards (and of the rows in `only`, if set). With a
 * period, only edges that held at some time in it (A2): an edge holds from `validFrom`, else from when we learned it,
 * until `validTo`, if it has one. A superseded note held until then, so its edges count for questions about that time.
 */
export function edgesAround(
  db: ReadableDb,
  entities: number[],
  shards: number[] | null,
  when: { start: number; end: number } | null,
  only: ReadonlySet<number> | null = null,
): Edge[] {
  const touching = db
    .prepare<[number, number, number], number>(
      `SELECT id FROM relation WHERE source = ? UNION ALL SELECT id FROM relation WHERE target = ? AND source <> ? LIMIT ${HUB + 1}`,
    )
    .pluck();
  const ids = entities.flatMap((entity) => {
    const edges = touching.all(entity, entity, entity);
    return edges.length > HUB ? [] : edges;
  });
  return db
    .rows<Edge & { seq: number }>(
      `SELECT relation.seq, source, target, relation.type, strength
       FROM relation
       JOIN learning ON learning.seq = relation.seq AND (learning.live = 1 OR :start IS NOT NULL AND learning.status = 'superseded')
       WHERE relation.id IN (SELECT value FROM json_each(:ids))
         AND (:shards IS NULL OR learning.shard IN (SELECT value FROM json_each(:shards)))
         AND (:start IS NULL OR (valid_from <= :end AND (valid_to IS NULL OR valid_to >= :start)))`,
      { ids: [...new Set(ids)], shards, start: when?.start, end: when?.end },
    )
    .filter(({ seq }) => only === null || only.has(seq));
}

/** Live notes about these entities, hubs left out. */
export function notesAbout(
  db: ReadableDb,
  entities: number[],
  shards: number[] | null,
  only: ReadonlySet<number> | null = null,
): Array<{ seq: number; entity: number }> {
  return db
    .rows<{ seq: number; entity: number }>(
      `SELECT link.seq, link.entity FROM json_each(:entities) AS reached
       CROSS JOIN learning_entity AS link ON link.entity = reached.value
       CROSS JOIN learning ON learning.seq = link.seq AND live = 1
       WHERE (SELECT count(*) FROM (SELECT 1 FROM learning_entity WHERE entity = reached.value LIMIT ${HUB + 1})) <= ${HUB}
         AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))`,
      { entities, shards },
    )
    .filter(({ seq }) => only === null || only.has(seq));
}
