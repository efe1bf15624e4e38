import { expect, test } from 'vitest';
import { given, tempStore } from '../../testing/temp-home.ts';
import { ensureVectors, putVector, searchByVector, vectorsOf } from '../search/vectors.ts';
import { findErased, eraseRows } from './rows.ts';

test('a proposed principle goes with the learning whose words it may have; an accepted one stays', () => {
  const store = tempStore();
  const { id } = given(store, { title: 'Deploy from the old server', scope: 'global' }).learning;
  const principle = (title: string, status: 'proposed' | 'active') =>
    given(store, { title, type: 'principle', status, scope: 'global', metadata: { sources: [id] } }).learning
      .id;
  const proposed = principle('Deploy from the old server, always', 'proposed');
  principle('Deploy from one server', 'active');
  const erased = findErased(store.db, { learnings: [id], sessions: [], projects: [] });
  expect(erased.learnings.map((one) => one.id)).toEqual([id, proposed]);
});

test('the vectors and signs of a deleted learning are gone from every table, those of others stay', () => {
  const store = tempStore();
  const { db } = store;
  const seqOf = (id: string) =>
    db.prepare<[string], number>('SELECT seq FROM learning WHERE id = ?').pluck().get(id) ?? 0;
  const [secret, other] = ['Deploy from the old server', 'Use tabs'].map(
    (title) => given(store, { title, scope: 'global' }).learning.id,
  ) as [string, string];
  const tables = ['first', 'second'].map((model) => ensureVectors(db, model, 8));
  const [gone, kept] = [seqOf(secret), seqOf(other)];
  for (const table of tables)
    for (const seq of [gone, kept]) putVector(db, table, seq, new Float32Array(8).fill(seq));
  eraseRows(db, findErased(db, { learnings: [secret], sessions: [], projects: [] }), 1);
  for (const table of tables) {
    expect([...vectorsOf(db, table, [gone, kept]).keys()]).toEqual([kept]);
    expect(db.prepare(`SELECT seq FROM ${table.name}_signs`).pluck().all()).toEqual([kept]);
    expect(searchByVector(db, table, new Float32Array(8).fill(1), null, 5).map(({ seq }) => seq)).toEqual([
      kept,
    ]);
  }
});
