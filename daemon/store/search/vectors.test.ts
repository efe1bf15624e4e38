import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { atOnce } from '../../platform/turns.ts';
import { EDITED, given, tempStore } from '../../testing/temp-home.ts';
import type { WritableDb } from '../db.ts';
import { setMeta } from '../meta.ts';
import { openMemoryStore } from '../open.ts';
import { changeLearning } from '../learnings/write.ts';
import { shardFor } from './shards.ts';
import { SignMap } from './sign-map.ts';
import {
  countVectors,
  ensureVectors,
  putVector,
  searchByVector,
  tokensOf,
  type VectorTable,
  vectorsOf,
  unembedded,
  withoutVector,
} from './vectors.ts';

const DIMS = 384;

/** Repeatable numbers around zero. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosine(vector, vector));
  return vector.map((x) => x / length);
}
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
const axis = (at: number) => Float32Array.from({ length: DIMS }, (_, index) => (index === at ? 1 : 0));

/** Topics of ten notes each: random directions, each note a random step away from its topic. */
function randomNotes(count: number, next: () => number) {
  const direction = () => unit(Float32Array.from({ length: DIMS }, () => next() + next() + next()));
  const topics = Array.from({ length: Math.ceil(count / 10) }, direction);
  const near = (topic: Float32Array) => {
    const step = direction();
    return unit(topic.map((x, at) => x + 0.7 * (step[at] ?? 0)));
  };
  return {
    vectors: Array.from({ length: count }, (_, at) => near(topics[Math.floor(at / 10)] ?? axis(0))),
    question: (at: number) => near(topics[at] ?? axis(0)),
  };
}

/** Bare rows: what is asked here is only where vectors lie. */
function rows(db: WritableDb, count: number, projectOf: (at: number) => string): number[] {
  const insert = db
    .prepare<[string, number, string], number>(
      `
    INSERT INTO learning (id, shard, created_at, updated_at, document_path, document_hash, note) VALUES (?, ?, 1, 1, '', '', ?) RETURNING seq`,
    )
    .pluck();
  return db.transaction(() =>
    Array.from({ length: count }, (_, at) => {
      const note = Note.parse({ title: `Note ${at}`, project: projectOf(at) });
      return insert.get(`note-${at}`, shardFor(db, note), JSON.stringify(note)) as number;
    }),
  )();
}

const best = (vectors: Float32Array[], question: Float32Array, among: (at: number) => boolean) =>
  vectors
    .map((vector, at) => ({ at, cosine: cosine(vector, question) }))
    .filter(({ at }) => among(at))
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, 10);

function found(
  db: WritableDb,
  table: VectorTable,
  vectors: Float32Array[],
  seqs: number[],
  questions: Float32Array[],
  shard: number | null,
  among: (at: number) => boolean,
): number {
  let hits = 0;
  for (const question of questions) {
    const got = new Map(
      searchByVector(db, table, question, shard === null ? null : [shard], 10).map((match) => [
        match.seq,
        match.cosine,
      ]),
    );
    for (const { at, cosine } of best(vectors, question, among)) {
      const seen = got.get(seqs[at] ?? 0);
      if (seen === undefined) continue;
      expect(seen).toBeCloseTo(cosine, 4);
      hits++;
    }
  }
  return hits / (questions.length * 10);
}

test('up to a few thousand vectors the search is exact', () => {
  const db = openMemoryStore();
  const table = ensureVectors(db, 'model', DIMS);
  const { vectors, question } = randomNotes(1_200, numbers(1));
  const seqs = rows(db, 1_200, () => 'one');
  db.transaction(() => seqs.forEach((seq, at) => putVector(db, table, seq, vectors[at] ?? axis(0))))();
  expect(
    found(
      db,
      table,
      vectors,
      seqs,
      Array.from({ length: 20 }, (_, at) => question(at * 5)),
      null,
      () => true,
    ),
  ).toBe(1);
});

const inTwo = (at: number) => Math.floor(at / 10) % 2 === 1;

test('beyond, the coarse pass finds at least 95 % of the nearest, with exact scores, in all shards and in one', () => {
  const db = openMemoryStore();
  const table = ensureVectors(db, 'model', DIMS);
  const { vectors, question } = randomNotes(9_000, numbers(2));
  const seqs = rows(db, 9_000, (at) => (inTwo(at) ? 'two' : 'one'));
  db.transaction(() => seqs.forEach((seq, at) => putVector(db, table, seq, vectors[at] ?? axis(0))))();
  const questions = Array.from({ length: 20 }, (_, at) => question(at * 22 + 1));
  expect(found(db, table, vectors, seqs, questions, null, () => true)).toBeGreaterThanOrEqual(0.95);
  const shard = db.prepare(`SELECT id FROM shard WHERE project = 'two'`).pluck().get() as number;
  expect(found(db, table, vectors, seqs, questions, shard, inTwo)).toBeGreaterThanOrEqual(0.95);
});

test('the sign map in memory finds the same candidates as the database, in the same shards', () => {
  const db = openMemoryStore();
  const table = ensureVectors(db, 'model', DIMS);
  const { vectors, question } = randomNotes(1_200, numbers(3));
  const seqs = rows(db, 1_200, (at) => (inTwo(at) ? 'two' : 'one'));
  db.transaction(() => seqs.forEach((seq, at) => putVector(db, table, seq, vectors[at] ?? axis(0))))();
  const map = atOnce(SignMap.read(db, table));
  const shards = db.prepare('SELECT id FROM shard ORDER BY id').pluck().all() as number[];
  const bySql = db.prepare<[object], { seq: number; distance: number }>(`
    SELECT seq, vec_distance_hamming(vec_bit(signs), vec_quantize_binary(:vector)) AS distance FROM ${table.name}_signs
    WHERE shard IN (SELECT value FROM json_each(:shards)) ORDER BY distance`);
  for (const [at, among] of [
    [3, shards],
    [50, shards.slice(0, 1)],
    [110, shards.slice(1)],
  ] as const) {
    const asked = question(at);
    const rows = bySql.all({
      shards: JSON.stringify(among),
      vector: Buffer.from(asked.buffer, asked.byteOffset, asked.byteLength),
    });
    const least = rows[39]?.distance ?? 0;
    expect(map.nearest(asked, among, 40)).toEqual(
      new Set(rows.filter(({ distance }) => distance <= least).map(({ seq }) => seq)),
    );
  }
  expect(map.nearest(axis(0), [], 40)).toEqual(new Set());
});

function small() {
  const store = tempStore();
  const table = ensureVectors(store.db, 'model', DIMS);
  const add = (title: string, project: string, at: number) => {
    const { learning } = given(store, { title, project });
    const seq = store.db
      .prepare<[string], number>('SELECT seq FROM learning WHERE id = ?')
      .pluck()
      .get(learning.id) as number;
    putVector(store.db, table, seq, axis(at));
    return { id: learning.id, seq };
  };
  const shardOf = (seq: number) =>
    store.db.prepare<[number], number>('SELECT shard FROM learning WHERE seq = ?').pluck().get(seq) as number;
  const near = (at: number, shards: number[] | null = null) =>
    searchByVector(store.db, table, axis(at), shards, 5)
      .filter(({ cosine }) => cosine > 0.5)
      .map(({ seq }) => seq);
  return { store, table, add, shardOf, near };
}

test('a search in a shard sees only that shard', () => {
  const { add, shardOf, near } = small();
  const one = add('a', 'one', 0);
  const two = add('b', 'two', 0);
  expect(near(0, [shardOf(one.seq)])).toEqual([one.seq]);
  expect(near(0, [shardOf(two.seq)])).toEqual([two.seq]);
  expect(near(0, [shardOf(one.seq), shardOf(two.seq)]).toSorted()).toEqual([one.seq, two.seq].toSorted());
  expect(near(0)).toHaveLength(2);
  expect(near(0, [])).toEqual([]);
});

test('a retired note loses its vectors at once, and a restored one is embedded again', () => {
  const { store, table, add, near } = small();
  const { id, seq } = add('a', 'one', 0);
  changeLearning(store, id, { status: 'archived' }, EDITED);
  expect(near(0)).toEqual([]);
  expect(countVectors(store.db, table)).toEqual({ vectors: 0, waiting: 0 });
  putVector(store.db, table, seq, axis(0)); // its embedding arrives late
  expect(near(0)).toEqual([]);
  expect(unembedded(store.db, table, id)).toBeUndefined();
  changeLearning(store, id, { status: 'active' }, EDITED);
  expect(withoutVector(store.db, table, 5).map((row) => row.seq)).toEqual([seq]);
  expect(unembedded(store.db, table, id)?.seq).toBe(seq);
});

test('a moved note keeps its vector and is not embedded again', () => {
  const { store, table, add, shardOf, near } = small();
  const { id, seq } = add('a', 'one', 3);
  const before = shardOf(seq);
  changeLearning(store, id, { project: 'two' }, EDITED);
  expect(near(3, [before])).toEqual([]);
  expect(near(3, [shardOf(seq)])).toEqual([seq]);
  expect(withoutVector(store.db, table, 5)).toEqual([]);
  expect(vectorsOf(store.db, table, [seq]).get(seq)).toEqual(axis(3));
});

test('the vector of an edited note is outdated but stays in use until the new one is there', () => {
  const { store, table, add, near } = small();
  const { id, seq } = add('a', 'one', 0);
  changeLearning(store, id, { confidence: 0.9 }, EDITED);
  expect(withoutVector(store.db, table, 5)).toEqual([]);
  changeLearning(store, id, { rule: 'Other words.' }, EDITED);
  expect(near(0)).toEqual([seq]);
  expect(countVectors(store.db, table)).toEqual({ vectors: 0, waiting: 1 });
  putVector(store.db, table, seq, axis(1));
  expect([near(0), near(1)]).toEqual([[], [seq]]);
  expect(countVectors(store.db, table)).toEqual({ vectors: 1, waiting: 0 });
});

test('the newest note is embedded first', () => {
  const store = tempStore();
  const table = ensureVectors(store.db, 'model', DIMS);
  const titles = ['first', 'second', 'third'];
  for (const title of titles) given(store, { title });
  expect(withoutVector(store.db, table, 2).map(({ note }) => (JSON.parse(note) as Note).title)).toEqual([
    'third',
    'second',
  ]);
});

test('each model has its own vectors, and another vector size starts with an empty table', () => {
  const { store, table, add, near } = small();
  const { seq } = add('a', 'one', 0);
  const other = ensureVectors(store.db, 'other/model-2', 8);
  expect(countVectors(store.db, other)).toEqual({ vectors: 0, waiting: 1 });
  expect(ensureVectors(store.db, 'model', DIMS)).toEqual(table);
  expect(near(0)).toEqual([seq]);
  const changed = ensureVectors(store.db, 'model', 8);
  expect(countVectors(store.db, changed)).toEqual({ vectors: 0, waiting: 1 });
  putVector(store.db, changed, seq, new Float32Array(8).fill(1));
  expect(searchByVector(store.db, changed, new Float32Array(8).fill(1), null, 5)).toHaveLength(1);
});

test('tokens stand and go with their vector', () => {
  const { store, table, add } = small();
  const { id, seq } = add('a', 'one', 0);
  putVector(store.db, table, seq, axis(0), Buffer.from('tokens'));
  expect(tokensOf(store.db, table, [seq])).toEqual(new Map([[seq, Buffer.from('tokens')]]));
  changeLearning(store, id, { status: 'archived' }, EDITED);
  expect(tokensOf(store.db, table, [seq]).size).toBe(0);
});

test('vectors from before there were tokens stay in use while they are computed again', () => {
  const { store, table, add, near } = small();
  const { seq } = add('a', 'one', 0);
  store.db.exec(`DROP TABLE ${table.name}_tokens`);
  setMeta(store.db, `vectors:${table.model}`, `plain:cosine float+bit by shard:v2:${table.dims}`); // as an older version left it
  ensureVectors(store.db, table.model, table.dims, true);
  expect(near(0)).toEqual([seq]);
  expect(withoutVector(store.db, table, 5).map((row) => row.seq)).toEqual([seq]);
});

test('tokens of the first version lose their signs and need not be computed again', () => {
  const { store, table, add } = small();
  const { seq } = add('a', 'one', 0);
  const [signs, rest] = [Buffer.alloc(16, 'signs'), Buffer.alloc(2 * 66, 'rest')];
  putVector(store.db, table, seq, axis(0), Buffer.concat([signs, rest]));
  setMeta(store.db, `vectors:${table.model}`, `plain:cosine float+bit by shard:v2:${table.dims}:tokens`);
  ensureVectors(store.db, table.model, table.dims, true);
  expect(tokensOf(store.db, table, [seq])).toEqual(new Map([[seq, rest]]));
  expect(withoutVector(store.db, table, 5)).toEqual([]);
});

test('tokens that were read before are read again after their vector is renewed', () => {
  const { store, table, add } = small();
  const { seq } = add('a', 'one', 0);
  for (const text of ['first', 'second']) {
    putVector(store.db, table, seq, axis(0), Buffer.from(text));
    expect(tokensOf(store.db, table, [seq])).toEqual(new Map([[seq, Buffer.from(text)]]));
  }
});
