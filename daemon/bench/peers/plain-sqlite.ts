import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import { byReciprocalRank, type Peer, plainWords } from './peer.ts';

const DEPTH = 50;
const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

export const plainSqlite: Peer = {
  name: 'FTS5 + sqlite-vec, RRF',
  packages: {},
  byMeaning: true,
  async open(_modules, folder, documents) {
    const db = new Database(join(folder, 'plain.db'));
    sqliteVec.load(db);
    db.exec(`
      CREATE TABLE document (id TEXT);
      CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61');
      CREATE VIRTUAL TABLE vectors USING vec0(embedding float[${documents[0]?.vector.length ?? 0}] distance_metric=cosine);
    `);
    const [document, words, vectors] = [
      'INSERT INTO document (rowid, id) VALUES (?, ?)',
      'INSERT INTO words (rowid, text) VALUES (?, ?)',
      'INSERT INTO vectors (rowid, embedding) VALUES (?, ?)',
    ].map((sql) => db.prepare(sql)) as [Database.Statement, Database.Statement, Database.Statement];
    db.transaction(() =>
      documents.forEach(({ id, text, vector }, at) => {
        document.run(BigInt(at + 1), id);
        words.run(BigInt(at + 1), text);
        vectors.run(BigInt(at + 1), bytesOf(vector));
      }),
    )();
    const byWords = db
      .prepare<[string, number], string>(
        'SELECT id FROM words JOIN document ON document.rowid = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT ?',
      )
      .pluck();
    const byMeaning = db
      .prepare<[Buffer, number], string>(
        'SELECT id FROM (SELECT rowid AS row, distance FROM vectors WHERE embedding MATCH ? AND k = ?) JOIN document ON document.rowid = row ORDER BY distance',
      )
      .pluck();
    return {
      search: (text, vector, limit) => {
        const match = plainWords(text)
          .map((word) => `"${word}"`)
          .join(' OR ');
        return byReciprocalRank(
          [match ? byWords.all(match, DEPTH) : [], byMeaning.all(bytesOf(vector), DEPTH)],
          limit,
        );
      },
      close: () => void db.close(),
    };
  },
};
