import type { ReadableDb, WritableDb } from '../db.ts';
import { SEARCHABLE } from '../learnings/searchable.ts';
import { getMeta, metaWith, setMeta } from '../meta.ts';
import { floats, type VectorMatch } from './cached-vectors.ts';
import type { VectorTable } from './vector-table.ts';

export type { VectorMatch } from './cached-vectors.ts';
export type { VectorTable } from './vector-table.ts';

const tableName = (model: string) => `vec_${model.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`;

/**
 * Two plain tables searched with sqlite-vec's functions: whole vectors by row, and their signs, clustered by shard. Its
 * vec0 table selects k times over every chunk instead: with k = 500 over 10 000 vectors that takes 21 ms, against 3.5
 * ms here.
 */
const LAYOUT = 'plain:cosine float+bit by shard:v2';

/**
 * The tables of a model; recreated empty when their layout has changed. Tables from before there were tokens keep their
 * vectors in use; those of a model that has tokens are computed again with them.
 */
export function ensureVectors(db: WritableDb, model: string, dims: number, hasTokens = false): VectorTable {
  const name = tableName(model);
  const key = `${VECTORS}${model}`;
  const withoutTokens = `${LAYOUT}:${dims}`;
  const withSigns = `${withoutTokens}:tokens`;
  const fingerprint = `${withoutTokens}:tokens:v2`;
  const found = getMeta(db, key);
  if (found === fingerprint) return { model, name, dims };
  db.transaction(() => {
    if (found === withSigns) dropSigns(db, name);
    else {
      if (found !== withoutTokens) createVectors(db, name);
      else if (hasTokens) db.exec(`UPDATE ${name} SET fresh = 0`);
      db.exec(`
        DROP TABLE IF EXISTS ${name}_tokens;
        CREATE TABLE ${name}_tokens (seq INTEGER PRIMARY KEY, tokens BLOB NOT NULL) STRICT;
      `);
    }
    setMeta(db, key, fingerprint);
  })();
  return { model, name, dims };
}

/** The first version of tokens began with eight bytes of signs for each 74; they are compared without them now. */
function dropSigns(db: WritableDb, name: string): void {
  db.exec(`UPDATE ${name}_tokens SET tokens = substr(tokens, length(tokens) / 74 * 8 + 1)`);
}

function createVectors(db: WritableDb, name: string): void {
  db.exec(`
    DROP TABLE IF EXISTS ${name};
    DROP TABLE IF EXISTS ${name}_signs;
    CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, shard INTEGER NOT NULL, fresh INTEGER NOT NULL, embedding BLOB NOT NULL) STRICT;
    CREATE INDEX ${name}_by_shard ON ${name}(shard);
    CREATE TABLE ${name}_signs (shard INTEGER NOT NULL, seq INTEGER NOT NULL, signs BLOB NOT NULL, PRIMARY KEY (shard, seq)) STRICT, WITHOUT ROWID;
  `);
}

const VECTORS = 'vectors:';

export function putVector(
  db: WritableDb,
  table: VectorTable,
  seq: number,
  vector: Float32Array,
  tokens: Buffer | null = null,
): void {
  db.transaction(() => {
    const shard = db.value<number>(`SELECT shard FROM learning WHERE seq = ? AND ${SEARCHABLE}`, seq);
    removeVector(db, table.name, seq);
    if (shard === undefined) return; // retired while it was being embedded
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    db.run(`INSERT INTO ${table.name} (seq, shard, fresh, embedding) VALUES (?, ?, 1, ?)`, [
      seq,
      shard,
      bytes,
    ]);
    db.run(`INSERT INTO ${table.name}_signs (shard, seq, signs) VALUES (?, ?, vec_quantize_binary(?))`, [
      shard,
      seq,
      bytes,
    ]);
    if (tokens) db.run(`INSERT INTO ${table.name}_tokens (seq, tokens) VALUES (?, ?)`, [seq, tokens]);
  })();
}

function removeVector(db: WritableDb, name: string, seq: number): void {
  const shard = db.value<number>(`DELETE FROM ${name} WHERE seq = ? RETURNING shard`, seq);
  if (shard === undefined) return;
  db.run(`DELETE FROM ${name}_signs WHERE shard = ? AND seq = ?`, [shard, seq]);
  db.run(`DELETE FROM ${name}_tokens WHERE seq = ?`, seq);
}

/** Deletes a retired note from every vector table, so that no arm finds it. */
export function forgetVectors(db: WritableDb, seq: number): void {
  for (const name of tables(db)) removeVector(db, name, seq);
}

/** Deletes all vectors after the notes were replaced. */
export function emptyVectors(db: WritableDb): void {
  for (const name of tables(db))
    db.exec(`DELETE FROM ${name}; DELETE FROM ${name}_signs; DELETE FROM ${name}_tokens;`);
}

const tables = (db: ReadableDb): string[] => metaWith(db, VECTORS).map(tableName);

export interface Unembedded {
  seq: number;
  note: string;
}

/** Learnings without a current vector, newest first; then candidates, best first. */
export function withoutVector(db: ReadableDb, { name }: VectorTable, limit: number): Unembedded[] {
  const missing = (which: string, order: string) =>
    db.prepare<[number], Unembedded>(`
      SELECT seq, note FROM learning WHERE seq IN (
        SELECT seq FROM learning
        WHERE ${which} AND NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.seq = learning.seq AND fresh = 1)
        ORDER BY ${order} LIMIT ?
      ) ORDER BY ${order}
    `);
  const learnings = missing('live = 1', 'seq DESC').all(limit);
  return [
    ...learnings,
    ...missing(`status = 'candidate'`, 'confidence DESC, seq').all(limit - learnings.length),
  ];
}

/** The same for one note; undefined while it has a current vector or needs none. */
export const unembedded = (db: ReadableDb, { name }: VectorTable, id: string): Unembedded | undefined =>
  db.row<Unembedded>(
    `SELECT seq, note FROM learning WHERE id = ? AND ${SEARCHABLE}
       AND NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.seq = learning.seq AND fresh = 1)`,
    id,
  );

/** Marks a note's vectors as outdated; they stay in use until they are recomputed. */
export function outdateVectors(db: WritableDb, seq: number): void {
  for (const name of tables(db)) db.run(`UPDATE ${name} SET fresh = 0 WHERE seq = ?`, seq);
}

/** Marks the vectors of all notes as outdated. */
export function outdateAllVectors(db: WritableDb): void {
  for (const name of tables(db)) db.exec(`UPDATE ${name} SET fresh = 0`);
}

/** Moves the vectors of a note to its new shard; its words are the same, so nothing is embedded again. */
export function moveVectors(db: WritableDb, seq: number): void {
  const shard = db.value<number>('SELECT shard FROM learning WHERE seq = ?', seq) as number;
  for (const name of tables(db)) {
    const { changes } = db.run(`UPDATE ${name} SET shard = ? WHERE seq = ? AND shard <> ?`, [
      shard,
      seq,
      shard,
    ]);
    // A clustered table is searched by shard; the one row of this note is found through the other table.
    if (changes > 0) db.run(`UPDATE ${name}_signs SET shard = ? WHERE seq = ?`, [shard, seq]);
  }
}

export interface VectorCounts {
  vectors: number;
  waiting: number;
}

export function countVectors(db: ReadableDb, { name }: VectorTable): VectorCounts {
  const vectors = db.value<number>(`SELECT count(*) FROM ${name} WHERE fresh = 1`) as number;
  // Counted apart, because each has an index of its own.
  const count = (which: string) => db.value<number>(`SELECT count(*) FROM learning WHERE ${which}`) as number;
  const notes = count('live = 1') + count(`status = 'candidate'`);
  return { vectors, waiting: Math.max(0, notes - vectors) };
}

/** From this many on, signs select the candidates of the exact pass; with fewer, comparing all is as fast and exact. */
const COARSE_FROM = 500;
const COARSE_FACTOR = 6;
const COARSE_LEAST = 300; // 0.99 of the ten nearest of 6 267 real vectors; 100 would bring 0.92, 500 no more and cost a millisecond

/**
 * Nearest notes of the shards (null: of all learnings) and, if set, among these rows, best first. Signs preselect where
 * there are many, or always if `coarsely`.
 */
export function searchByVector(
  db: ReadableDb,
  table: VectorTable,
  query: Float32Array,
  shards: number[] | null,
  limit: number,
  only: ReadonlySet<number> | null = null,
  coarsely = false,
): VectorMatch[] {
  const { name } = table;
  const inMemory = only === null ? db.search?.vectors(table) : null;
  if (inMemory) {
    const wide = Math.max(COARSE_LEAST, limit * COARSE_FACTOR);
    return inMemory.nearest(
      query,
      shards ?? shardsOfLearnings(db),
      limit,
      wide,
      coarsely ? wide : COARSE_FROM,
    );
  }
  // Both filters apply before the search: the nearest of these rows, not these rows among the nearest.
  const within = [
    shards === null
      ? 'shard IN (SELECT id FROM shard WHERE candidate = 0)'
      : 'shard IN (SELECT value FROM json_each(:shards))',
    ...(only === null ? [] : ['seq IN (SELECT value FROM json_each(:only))']),
  ];
  const where = `WHERE ${within.join(' AND ')}`;
  const parameters = {
    vector: Buffer.from(query.buffer, query.byteOffset, query.byteLength),
    limit,
    shards,
    only: only && [...only],
  };
  if (only !== null || !(coarsely || isLarge(db, table, shards))) {
    return db.rows<VectorMatch>(
      `SELECT seq, 1 - vec_distance_cosine(embedding, :vector) AS cosine FROM ${name} ${where} ORDER BY cosine DESC LIMIT :limit`,
      parameters,
    );
  }
  return db.rows<VectorMatch>(
    `WITH near AS (SELECT seq FROM ${name}_signs ${where} ORDER BY vec_distance_hamming(vec_bit(signs), vec_quantize_binary(:vector)) LIMIT :wide)
      SELECT near.seq, 1 - vec_distance_cosine(embedding, :vector) AS cosine FROM near JOIN ${name} USING (seq) ORDER BY cosine DESC LIMIT :limit`,
    { ...parameters, wide: Math.max(COARSE_LEAST, limit * COARSE_FACTOR) },
  );
}

const shardsOfLearnings = (db: ReadableDb): number[] =>
  db.values<number>('SELECT id FROM shard WHERE candidate = 0');

/** True when there are enough vectors to preselect by signs; steps over that many index entries at most. */
function isLarge(db: ReadableDb, { name }: VectorTable, shards: number[] | null): boolean {
  const beyond =
    shards === null
      ? db.row(`SELECT 1 FROM ${name} LIMIT 1 OFFSET ?`, COARSE_FROM - 1)
      : db.row(
          `SELECT 1 FROM ${name}_signs WHERE shard IN (SELECT value FROM json_each(?)) LIMIT 1 OFFSET ?`,
          [shards, COARSE_FROM - 1],
        );
  return beyond !== undefined;
}

/** The vector of a row as it reads now; null while it is still to be computed. */
export function freshVector(db: ReadableDb, { name }: VectorTable, seq: number): Float32Array | null {
  const bytes = db.value<Buffer>(`SELECT embedding FROM ${name} WHERE seq = ? AND fresh = 1`, seq);
  return bytes ? floats(bytes) : null;
}

/** The vectors of these rows; a row without one is absent. */
export function vectorsOf(db: ReadableDb, { name }: VectorTable, seqs: number[]): Map<number, Float32Array> {
  const read = db.prepare<[number], Buffer>(`SELECT embedding FROM ${name} WHERE seq = ?`).pluck();
  return new Map(
    seqs.flatMap((seq) => {
      const bytes = read.get(seq);
      return bytes ? [[seq, floats(bytes)] as const] : [];
    }),
  );
}

/** The tokens of these rows; a row without is absent. */
export function tokensOf(db: ReadableDb, table: VectorTable, seqs: number[]): Map<number, Buffer> {
  const read = (rows: number[]) => readTokens(db, table, rows);
  return db.search?.vectors(table)?.tokens(seqs, read) ?? read(seqs);
}

/** In one query: asking a hundred times took twice as long. */
function readTokens(db: ReadableDb, { name }: VectorTable, seqs: number[]): Map<number, Buffer> {
  return new Map(
    db
      .prepare<[string], [number, Buffer]>(
        `SELECT seq, tokens FROM ${name}_tokens WHERE seq IN (SELECT value FROM json_each(?))`,
      )
      .raw()
      .all(JSON.stringify(seqs)),
  );
}
