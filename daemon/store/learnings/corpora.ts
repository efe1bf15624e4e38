import type { Corpus } from '#contract/modes.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { CORPUS_FILTER } from '../columns.ts';
import { readStrings } from '../persisted-json.ts';

export type CorpusFilter = Corpus['filter'];

/** A filter and the learnings it selected. Members are kept by id, because row numbers change on an import. */
export interface StoredCorpus extends Pick<Corpus, 'name' | 'filter' | 'builtAt'> {
  /** The version of the knowledge base when the members were selected. */
  version: number;
  members: string[];
}

type Row = Omit<StoredCorpus, 'filter' | 'members'> & { filter: string; members: string };

const SELECT = 'SELECT name, filter, built_at AS builtAt, version, members FROM corpus';
const toCorpus = ({ filter, members, ...rest }: Row): StoredCorpus => ({
  ...rest,
  filter: CORPUS_FILTER.read(filter),
  members: readStrings(members),
});

export function putCorpus(db: WritableDb, { name, filter, builtAt, version, members }: StoredCorpus): void {
  db.insert('OR REPLACE INTO corpus (name, filter, built_at, version, members)', {
    name,
    filter: CORPUS_FILTER.write(filter),
    builtAt,
    version,
    members,
  });
}

export function findCorpus(db: ReadableDb, name: string): StoredCorpus | null {
  const row = db.row<Row>(`${SELECT} WHERE name = ?`, name);
  return row ? toCorpus(row) : null;
}

export function listCorpora(db: ReadableDb): StoredCorpus[] {
  return db.rows<Row>(`${SELECT} ORDER BY name`).map(toCorpus);
}

export function deleteCorpus(db: WritableDb, name: string): void {
  db.run('DELETE FROM corpus WHERE name = ?', name);
}

/** The live learnings a filter selects, oldest first. */
export function chooseMembers(
  db: ReadableDb,
  { tags = [], category, project, since, until }: CorpusFilter,
): string[] {
  return db.values<string>(
    `SELECT id FROM learning
     WHERE live = 1
       AND (:tags = '[]' OR EXISTS (SELECT 1 FROM learning_tag WHERE learning_tag.seq = learning.seq AND tag COLLATE NOCASE IN (SELECT value FROM json_each(:tags))))
       AND (:category IS NULL OR category = :category COLLATE NOCASE)
       AND (:project IS NULL OR project = :project)
       AND (:since IS NULL OR created_at >= :since)
       AND (:until IS NULL OR created_at <= :until)
     ORDER BY created_at, seq`,
    { tags, category, project, since, until },
  );
}

/** The rows of members that are still live, oldest first. */
export function liveRows(db: ReadableDb, ids: readonly string[]): number[] {
  return db.values<number>(
    'SELECT seq FROM learning WHERE live = 1 AND id IN (SELECT value FROM json_each(?)) ORDER BY created_at, seq',
    [ids],
  );
}
