import type { ReadableDb, WritableDb } from '../db.ts';

interface Isolated {
  id: number;
  partner: number;
  seq: number;
}

/** The edges of the next rows. */
export function edgeIds(db: ReadableDb, after: number, limit: number): number[] {
  return db.values<number>('SELECT id FROM relation WHERE id > ? ORDER BY id LIMIT ?', [after, limit]);
}

/** The entity ids that the next mentions refer to, whether or not the entities exist. */
export function mentionedIds(db: ReadableDb, after: number, limit: number): number[] {
  return db.values<number>(
    'SELECT DISTINCT entity FROM learning_entity WHERE entity > ? ORDER BY entity LIMIT ?',
    [after, limit],
  );
}

const gone = (column: string, table: string, key: string) =>
  `NOT EXISTS (SELECT 1 FROM ${table} AS there WHERE there.${key} = ${column})`;

/** Deletes edges with a missing end, which a database restored or merged by hand may have. */
export function dropDanglingEdges(db: WritableDb, ids: number[]): number {
  const ends = [
    gone('source', 'entity', 'id'),
    gone('target', 'entity', 'id'),
    gone('relation.seq', 'learning', 'seq'),
  ].join(' OR ');
  return db.run(`DELETE FROM relation WHERE id IN (SELECT value FROM json_each(?)) AND (${ends})`, [ids])
    .changes;
}

export function dropDanglingMentions(db: WritableDb, entities: number[]): number {
  const ends = [
    gone('learning_entity.entity', 'entity', 'id'),
    gone('learning_entity.seq', 'learning', 'seq'),
  ].join(' OR ');
  return db.run(
    `DELETE FROM learning_entity WHERE entity IN (SELECT value FROM json_each(?)) AND (${ends})`,
    [entities],
  ).changes;
}

/** The entities of the next rows, in order of their ids. */
export function entityIds(db: ReadableDb, after: number, limit: number): number[] {
  return db.values<number>('SELECT id FROM entity WHERE id > ? ORDER BY id LIMIT ?', [after, limit]);
}

const TOUCHED = `EXISTS (SELECT 1 FROM relation WHERE source = entity.id) OR EXISTS (SELECT 1 FROM relation WHERE target = entity.id)`;

export function dropOrphans(db: WritableDb, ids: number[]): number {
  return db.run(
    `DELETE FROM entity WHERE id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM learning_entity WHERE entity = entity.id) AND NOT (${TOUCHED})`,
    [ids],
  ).changes;
}

/** Entities that live notes mention but no edge touches, each with the best connected other entity of its notes. */
export function isolatedAmong(db: ReadableDb, ids: number[]): Isolated[] {
  return db.rows<Isolated>(
    `SELECT id, partner, seq FROM (
       SELECT entity.id, other.entity AS partner, mention.seq,
              row_number() OVER (PARTITION BY entity.id ORDER BY (SELECT count(*) FROM relation WHERE source = other.entity OR target = other.entity) DESC, mention.seq, other.entity) AS place
       FROM entity
       JOIN learning_entity AS mention ON mention.entity = entity.id
       JOIN learning ON learning.seq = mention.seq AND learning.live = 1
       JOIN learning_entity AS other ON other.seq = mention.seq AND other.entity <> entity.id
       WHERE entity.id IN (SELECT value FROM json_each(?)) AND NOT (${TOUCHED})
     ) WHERE place = 1`,
    [ids],
  );
}

/** Links an entity weakly to another of its note, in the graph only: the note itself does not say so. */
export function relink(db: WritableDb, { id, partner, seq }: Isolated): boolean {
  return (
    db.run(
      `INSERT INTO relation (seq, source, target, type, description, strength, committed_at, valid_from, valid_to)
        SELECT seq, :id, :partner, 'relates_to', 'mentioned together', 1, updated_at, updated_at, NULL FROM learning
        WHERE seq = :seq AND NOT EXISTS (SELECT 1 FROM relation WHERE :id IN (source, target))`,
      { id, partner, seq },
    ).changes > 0
  );
}
