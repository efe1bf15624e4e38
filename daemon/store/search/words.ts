import type { Note } from '#contract/entities.ts';
import { NOTE } from '../columns.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { contentWords, stemOf, tokens } from '../../text/tokenise.ts';
import { SEARCHABLE } from '../learnings/searchable.ts';
import { getMeta, setMeta } from '../meta.ts';
import { COLUMN_WEIGHTS, COLUMNS, columnsOf } from './note-text.ts';
import type { Lookup } from './word-index.ts';
import { slices } from '../../platform/slices.ts';

/** The index can be recomputed from `learning`, so it is rebuilt when this string changes and never migrated. */
const FINGERPRINT = 'fts5:porter-unicode61+typed:title,gist,text,tags,shelf:v5';

interface NoteRow {
  seq: number;
  note: string;
}

export function ensureSearchIndex(db: WritableDb): void {
  if (getMeta(db, 'search-index') === FINGERPRINT) return;
  db.transaction(() => {
    db.exec(`
      DROP TABLE IF EXISTS learning_fts;
      CREATE VIRTUAL TABLE learning_fts USING fts5(
        title, gist, text, tags, shelf, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
      );
      -- Words unstemmed, for lists that follow the typing: "migrati" is a beginning of "migration", not of its stem "migrat".
      DROP TABLE IF EXISTS learning_typed;
      CREATE VIRTUAL TABLE learning_typed USING fts5(
        title, gist, text, tags, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
      );
    `);
    for (const { seq, note } of db.rows<NoteRow>('SELECT seq, note FROM learning')) {
      indexText(db, seq, NOTE.read(note));
    }
    setMeta(db, 'search-index', FINGERPRINT);
  })();
}

/** Empties the index after the notes were replaced. Until rebuildSearchIndex is done, a start rebuilds it. */
export function emptySearchIndex(db: WritableDb): void {
  for (const table of ['learning_fts', 'learning_typed'])
    db.run(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
  setMeta(db, 'search-index', '');
}

const SLICE = 50; // notes; more would keep everybody waiting

/** Fills the index slice by slice, newest first, so that other work runs in between. */
export function* rebuildSearchIndex(db: WritableDb): Generator<number> {
  const next = db.prepare<[number, number], NoteRow>(
    'SELECT seq, note FROM learning WHERE seq < ? ORDER BY seq DESC LIMIT ?',
  );
  let done = 0;
  for (const rows of slices<NoteRow>((last) => next.all(last?.seq ?? Number.MAX_SAFE_INTEGER, SLICE))) {
    db.transaction(() => rows.forEach(({ seq, note }) => indexText(db, seq, NOTE.read(note))))();
    yield (done += rows.length);
  }
  setMeta(db, 'search-index', FINGERPRINT);
}

/** Indexes a row that is already written, because its shard and status are part of the index. */
export function indexText(db: WritableDb, seq: number, note: Note): void {
  const columns = columnsOf(note);
  for (const table of ['learning_fts', 'learning_typed']) db.run(`DELETE FROM ${table} WHERE rowid = ?`, seq);
  db.run('INSERT INTO learning_fts (rowid, title, gist, text, tags, shelf) VALUES (?, ?, ?, ?, ?, ?)', [
    seq,
    ...columns,
    shelfOf(db, seq),
  ]);
  db.run('INSERT INTO learning_typed (rowid, title, gist, text, tags) VALUES (?, ?, ?, ?, ?)', [
    seq,
    ...columns,
  ]);
}

/** An indexed word for the shard of a note: filtering row by row cost more. A candidate is only in its own. */
function shelfOf(db: ReadableDb, seq: number): string {
  const row = db.row<{ shard: number; live: number }>(
    `SELECT shard, live FROM learning WHERE seq = ? AND ${SEARCHABLE}`,
    seq,
  );
  return row ? `${row.live === 1 ? EVERY_SHELF : ''} ${shelf(row.shard)}` : '';
}

const EVERY_SHELF = 'shelved';
const shelf = (shard: number) => `shelf${shard}`;

export interface TextMatch {
  seq: number;
  score: number;
}

/** The weights in the order of the columns; the shelf only filters. */
const WEIGHTS = [...COLUMNS.map((column) => COLUMN_WEIGHTS[column]), 0].join(', ');

/** Notes of the shards (null: all) and, if set, among these rows that share words with the query, best first. */
export function searchByWords(
  db: ReadableDb,
  query: string,
  shards: number[] | null,
  limit: number,
  only: ReadonlySet<number> | null = null,
): TextMatch[] {
  const words = contentWords(query).slice(0, MOST_WORDS).map(lookup);
  if (words.length === 0 || shards?.length === 0) return [];
  const inMemory = db.search?.words;
  if (inMemory?.canLookUp(words)) return inMemory.search(words, shards, limit, only);
  const shelves = shards === null ? EVERY_SHELF : shards.map(shelf).join(' OR ');
  return db.rows<TextMatch>(
    `SELECT rowid AS seq, -rank AS score FROM learning_fts
      WHERE learning_fts MATCH :match AND rank MATCH 'bm25(${WEIGHTS})' ${only === null ? '' : 'AND rowid IN (SELECT value FROM json_each(:only))'}
      ORDER BY rank LIMIT :limit`,
    {
      match: `{${COLUMNS.join(' ')}} : (${rarestWords(db, words).map(quoted).join(' OR ')}) AND shelf : (${shelves})`,
      limit,
      only: only && [...only],
    },
  );
}

/** Live notes of a shard whose title has all these words, in any form and order; the newest first. */
export function titledWith(db: ReadableDb, words: string[], shard: number, limit: number): number[] {
  if (words.length === 0) return [];
  return db.values<number>(
    'SELECT rowid FROM learning_fts WHERE learning_fts MATCH :match ORDER BY rowid DESC LIMIT :limit',
    {
      match: `title : (${words.map((word) => `"${word}"`).join(' AND ')}) AND shelf : ${shelf(shard)}`,
      limit,
    },
  );
}

const MOST_WORDS = 64;

/** A word as the index looks it up: in full, or by its beginning where the stemmer does not know the language. */
function lookup(word: string): Lookup {
  const stem = stemOf(word);
  return stem === null ? { word, isBeginning: false } : { word: stem, isBeginning: true };
}

const quoted = ({ word, isBeginning }: Lookup) => `"${word}"${isBeginning ? '*' : ''}`;

const MANY = 20_000; // notes
const COMMON = 0.1; // share of all notes
const LEAST_WORDS = 2;

/**
 * For a search in the database, while its words are not in memory.
 * A word in every tenth of many notes hardly ranks and costs most: scoring its notes took nine tenths of the search at
 * 100 000. It is dropped while rarer words remain; counting them first is cheap.
 */
function rarestWords(db: ReadableDb, words: Lookup[]): Lookup[] {
  const size =
    words.length > LEAST_WORDS
      ? ((db.value<number | null>('SELECT max(rowid) FROM learning') as number | null) ?? 0)
      : 0;
  if (size < MANY) return words;
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM learning_fts WHERE learning_fts MATCH ?')
    .pluck();
  const counted = words
    .map((word) => ({ word, notes: count.get(`{${COLUMNS.join(' ')}} : ${quoted(word)}`) as number }))
    .filter(({ notes }) => notes > 0)
    .toSorted((a, b) => a.notes - b.notes);
  const rare = counted.filter(({ notes }) => notes <= size * COMMON);
  return (rare.length >= LEAST_WORDS ? rare : counted.slice(0, LEAST_WORDS)).map(({ word }) => word);
}

/** Matches rows of `learning_typed` whose words begin as typed, for lists that update on every key. */
export const typedExpression = (text: string): string =>
  typedWords(text)
    .map((word) => `"${word}"*`)
    .join(' AND ');

export const typedWords = (text: string): string[] => tokens(text).slice(0, MOST_WORDS);
