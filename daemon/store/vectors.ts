import type { ReadableDb, WritableDb } from './db.ts';
import { getMeta, setMeta } from './meta.ts';

/** The vectors of one model. Every model has its own table, so a new one fills up while the old one serves. */
export interface VectorTable {
  model: string;
  name: string;
  dims: number;
}

const tableName = (model: string) => `vec_${model.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`;

/**
 * A shard takes room for a whole chunk at once, so chunks of the default 1024 made 10 MB of 80 notes. Small ones are also
 * faster, for a chunk is searched for all k: at 10 000 vectors in 60 shards 4.7 ms and 19 MB instead of 48 ms and 98 MB.
 */
const CHUNK = 32;

/** The table of a model; made anew, to be filled again, when it was built in another way. */
export function ensureVectors(db: WritableDb, model: string, dims: number): VectorTable {
  const name = tableName(model);
  const fingerprint = `vec0:cosine float[${dims}]+bit:chunk ${CHUNK}:v1`;
  if (getMeta(db, `vectors:${model}`) !== fingerprint) {
    db.transaction(() => {
      db.exec(`
        CREATE TABLE IF NOT EXISTS embedded (
          model TEXT NOT NULL, seq INTEGER NOT NULL, fresh INTEGER NOT NULL, PRIMARY KEY (model, seq)
        ) STRICT, WITHOUT ROWID;
        DROP TABLE IF EXISTS ${name};
        CREATE VIRTUAL TABLE ${name} USING vec0(
          shard integer partition key, embedding float[${dims}] distance_metric=cosine, coarse bit[${dims}], chunk_size=${CHUNK}
        );
      `);
      db.prepare('DELETE FROM embedded WHERE model = ?').run(model);
      setMeta(db, `vectors:${model}`, fingerprint);
    })();
  }
  return { model, name, dims };
}

export function putVector(db: WritableDb, table: VectorTable, seq: number, vector: Float32Array): void {
  db.transaction(() => {
    const shard = db.prepare<[number], number>('SELECT shard FROM learning WHERE seq = ? AND live = 1').pluck().get(seq) as number | undefined;
    removeVector(db, table, seq);
    if (shard === undefined) return; // retired while it was being embedded
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    db.prepare(`INSERT INTO ${table.name} (rowid, shard, embedding, coarse) VALUES (:seq, :shard, :vector, vec_quantize_binary(:vector))`)
      .run({ seq: BigInt(seq), shard: BigInt(shard), vector: bytes });
    db.prepare('INSERT OR REPLACE INTO embedded (model, seq, fresh) VALUES (?, ?, 1)').run(table.model, seq);
  })();
}

function removeVector(db: WritableDb, table: Pick<VectorTable, 'name' | 'model'>, seq: number): void {
  db.prepare(`DELETE FROM ${table.name} WHERE rowid = ?`).run(BigInt(seq));
  db.prepare('DELETE FROM embedded WHERE model = ? AND seq = ?').run(table.model, seq);
}

/** A retired note leaves every vector table at once, so no arm can bring it back. */
export function forgetVectors(db: WritableDb, seq: number): void {
  for (const model of embeddedModels(db)) removeVector(db, { model, name: tableName(model) }, seq);
}

function embeddedModels(db: ReadableDb): string[] {
  const exists = db.prepare<[], number>(`SELECT count(*) FROM sqlite_schema WHERE name = 'embedded'`).pluck().get();
  return exists ? (db.prepare<[], string>('SELECT DISTINCT model FROM embedded').pluck().all() as string[]) : [];
}

export interface Unembedded {
  seq: number;
  note: string;
}

/** Live notes whose words this model has not read yet, newest first: what was just learned is recalled first. */
export function withoutVector(db: ReadableDb, table: VectorTable, limit: number): Unembedded[] {
  return db.prepare<[string, number], Unembedded>(`
    SELECT seq, note FROM learning WHERE seq IN (
      SELECT seq FROM learning
      WHERE live = 1 AND NOT EXISTS (SELECT 1 FROM embedded WHERE model = ? AND embedded.seq = learning.seq AND fresh = 1)
      ORDER BY seq DESC LIMIT ?
    ) ORDER BY seq DESC
  `).all(table.model, limit);
}

/** The words of a note changed: its vectors serve on until they are made anew. */
export function outdateVectors(db: WritableDb, seq: number): void {
  if (embeddedModels(db).length > 0) db.prepare('UPDATE embedded SET fresh = 0 WHERE seq = ?').run(seq);
}

/** A note moved to another shard takes its vector along; the words are the same, so nothing is embedded again. */
export function moveVectors(db: WritableDb, seq: number): void {
  for (const model of embeddedModels(db)) {
    const name = tableName(model);
    const row = db.prepare<[bigint], { shard: number; embedding: Buffer }>(`SELECT shard, embedding FROM ${name} WHERE rowid = ?`).get(BigInt(seq));
    const shard = db.prepare<[number], number>('SELECT shard FROM learning WHERE seq = ?').pluck().get(seq) as number;
    if (!row || row.shard === shard) continue;
    db.prepare(`DELETE FROM ${name} WHERE rowid = ?`).run(BigInt(seq));
    db.prepare(`INSERT INTO ${name} (rowid, shard, embedding, coarse) VALUES (:seq, :shard, :vector, vec_quantize_binary(:vector))`)
      .run({ seq: BigInt(seq), shard: BigInt(shard), vector: row.embedding });
  }
}

export function countVectors(db: ReadableDb, table: VectorTable): { vectors: number; waiting: number } {
  const vectors = db.prepare<[string], number>('SELECT count(*) FROM embedded WHERE model = ? AND fresh = 1').pluck().get(table.model) as number;
  const live = db.prepare<[], number>('SELECT count(*) FROM learning WHERE live = 1').pluck().get() as number;
  return { vectors, waiting: Math.max(0, live - vectors) };
}

export interface VectorMatch {
  seq: number;
  cosine: number;
}

/**
 * From here on a coarse pass over single bits chooses what the exact one looks at: 5 ms instead of 10 at 10 000 vectors,
 * 32 instead of 90 at 100 000. Below, looking at all of them is as fast and misses nothing.
 */
const COARSE_FROM = 4_000;
const COARSE_FACTOR = 10;
const COARSE_LEAST = 500; // 0.99 of the ten nearest of 4 200 real notes; 100 would bring 0.92
const COARSE_MOST = 4_096; // as many as sqlite-vec gives

/** Nearest notes of the shards (null: all), and if given among these rows, best first. */
export function searchByVector(db: ReadableDb, table: VectorTable, query: Float32Array, shards: number[] | null, limit: number, only: ReadonlySet<number> | null = null): VectorMatch[] {
  const vector = Buffer.from(query.buffer, query.byteOffset, query.byteLength);
  const lists = (shards ?? [null]).map((shard) => nearest(db, table, vector, shard, limit, only));
  return lists.flat().toSorted((a, b) => b.cosine - a.cosine).slice(0, limit);
}

function nearest(db: ReadableDb, table: VectorTable, vector: Buffer, shard: number | null, limit: number, only: ReadonlySet<number> | null): VectorMatch[] {
  // Both narrow the search itself: the nearest of these rows, not those of the nearest that are among them.
  const within = `${shard === null ? '' : 'AND shard = :shard'} ${only === null ? '' : 'AND rowid IN (SELECT value FROM json_each(:only))'}`;
  const parameters = { vector, limit, ...(shard === null ? {} : { shard: BigInt(shard) }), ...(only === null ? {} : { only: JSON.stringify([...only]) }) };
  if (!isLarge(db, table, shard)) {
    return db.prepare<[object], VectorMatch>(
      `SELECT rowid AS seq, 1 - distance AS cosine FROM ${table.name} WHERE embedding MATCH :vector AND k = :limit ${within}`).all(parameters);
  }
  return db.prepare<[object], VectorMatch>(`
    WITH coarse AS (SELECT rowid AS seq FROM ${table.name} WHERE coarse MATCH vec_quantize_binary(:vector) AND k = :wide ${within})
    SELECT coarse.seq, 1 - vec_distance_cosine(exact.embedding, :vector) AS cosine
    FROM coarse JOIN ${table.name} AS exact ON exact.rowid = coarse.seq ORDER BY cosine DESC LIMIT :limit
  `).all({ ...parameters, wide: Math.min(COARSE_MOST, Math.max(COARSE_LEAST, limit * COARSE_FACTOR)) });
}

/** Whether there are enough to be coarse first; steps over that many entries of an index, however many there are. */
function isLarge(db: ReadableDb, { model }: VectorTable, shard: number | null): boolean {
  const beyond = shard === null
    ? db.prepare('SELECT 1 FROM embedded WHERE model = ? LIMIT 1 OFFSET ?').get(model, COARSE_FROM - 1)
    : db.prepare('SELECT 1 FROM learning WHERE shard = ? AND live = 1 LIMIT 1 OFFSET ?').get(shard, COARSE_FROM - 1);
  return beyond !== undefined;
}

/** The vectors of these rows; a row without one is absent. */
export function vectorsOf(db: ReadableDb, table: VectorTable, seqs: number[]): Map<number, Float32Array> {
  const read = db.prepare<[bigint], Buffer>(`SELECT embedding FROM ${table.name} WHERE rowid = ?`).pluck();
  return new Map(seqs.flatMap((seq) => {
    const bytes = read.get(BigInt(seq)) as Buffer | undefined;
    // Copied: a view must begin at a multiple of four, and a buffer of SQLite begins anywhere.
    return bytes ? [[seq, new Float32Array(Uint8Array.from(bytes).buffer)] as const] : [];
  }));
}
