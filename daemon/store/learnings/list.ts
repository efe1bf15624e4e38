import type { Asked } from '#contract/methods.ts';
import type { LearningRow } from '#contract/entities.ts';
import type { ReadableDb } from '../db.ts';
import { typedExpression, typedWords } from '../search/words.ts';
import { NEW_SIGNALS } from './signals.ts';
import { readStrings } from '../persisted-json.ts';

export type ListFilter = Omit<Asked<'learnings.list'>, 'facets'>;

/** Confidence as low, medium or high. */
const TIER = `CASE WHEN confidence >= 0.8 THEN 'high' WHEN confidence >= 0.5 THEN 'medium' ELSE 'low' END`;

const FIELDS = ['project', 'branch', 'category', 'agent', 'status', 'confidence'] as const;
type Field = (typeof FIELDS)[number];

const CONDITIONS: Record<Field | 'tag', string> = {
  project: 'project = :project',
  branch: 'branch = :branch',
  category: 'category = :category',
  agent: 'agent = :agent',
  status: 'status = :status',
  confidence: `${TIER} = :confidence`,
  tag: 'seq IN (SELECT seq FROM learning_tag WHERE tag = :tag)',
};

/** All columns that filter and sort, without the notes: at 10 000, reading those takes twenty times as long. */
const SLIM = 'learning INDEXED BY learning_lists';
const MATCHED = 'SELECT rowid FROM learning_typed WHERE learning_typed MATCH :match';
const RANKED =
  'SELECT rowid AS seq, bm25(learning_typed, 8.0, 2.0, 1.0, 4.0) AS relevance FROM learning_typed WHERE learning_typed MATCH :match';
/** One or two letters match nearly every note, so ranking by them is slow and useless. */
const SHORTEST_RANKED = 3;

export function listLearnings(db: ReadableDb, filter: ListFilter): { items: LearningRow[]; total: number } {
  const { offset, limit } = filter;
  const { where, parameters } = narrowed(filter, Object.keys(CONDITIONS));
  if (parameters['match'] === undefined) {
    const items = rowsOf(
      db,
      `FROM learning LEFT JOIN learning_signal USING (seq) ${where} ORDER BY updated_at DESC, seq DESC LIMIT :limit OFFSET :offset`,
      { ...parameters, limit, offset },
    );
    const total = db.count(`SELECT count(*) FROM ${SLIM} ${where}`, parameters);
    return { items, total };
  }
  const found = withBestFirst(db, matching(db, filter), filter);
  return { items: rowsInOrder(db, found.slice(offset, offset + limit)), total: found.length };
}

/** Rows that contain all the typed words, best first. */
function matching(db: ReadableDb, filter: ListFilter): number[] {
  const isRankable = typedWords(filter.text ?? '').some((word) => word.length >= SHORTEST_RANKED);
  const { where } = narrowed(isRankable ? { ...filter, text: undefined } : filter, Object.keys(CONDITIONS));
  const { parameters } = narrowed(filter, Object.keys(CONDITIONS));
  return db.values<number>(
    isRankable
      ? `SELECT seq FROM (${RANKED}) JOIN learning USING (seq) ${where} ORDER BY relevance, updated_at DESC`
      : `SELECT seq FROM ${SLIM} ${where} ORDER BY updated_at DESC, seq DESC`,
    parameters,
  );
}

function withBestFirst(db: ReadableDb, found: number[], filter: ListFilter): number[] {
  if (!filter.best || filter.best.length === 0) return found;
  const { where, parameters } = narrowed({ ...filter, text: undefined }, Object.keys(CONDITIONS));
  const best = db.values<number>(
    `SELECT seq FROM json_each(:best) AS best JOIN learning ON learning.id = best.value ${where} ORDER BY best.key`,
    { ...parameters, best: filter.best },
  );
  if (found.length === 0) return best;
  const matched = new Set(found);
  const first = new Set(best.filter((seq) => matched.has(seq)));
  return [...first, ...found.filter((seq) => !first.has(seq))];
}

/** These rows, in this order. */
export const rowsInOrder = (db: ReadableDb, seqs: number[]): LearningRow[] =>
  rowsOf(
    db,
    `FROM json_each(:seqs) AS shown JOIN learning ON seq = shown.value LEFT JOIN learning_signal USING (seq) ORDER BY shown.key`,
    { seqs },
  );

export function rowsOf(db: ReadableDb, from: string, parameters: object): LearningRow[] {
  const rows = db.rows<Omit<LearningRow, 'tags' | 'speculative'> & { tags: string; speculative: number }>(
    `SELECT learning.id, title, category, learning.type, note ->> '$.tags' AS tags, confidence, project, branch, note ->> '$.scope' AS scope, status,
            speculative, created_at AS createdAt, updated_at AS updatedAt, document_problem AS documentProblem, agent, coalesce(note ->> '$.metadata.colleague', '') AS colleague,
            coalesce(proof_count, ${NEW_SIGNALS.proofCount}) AS proofCount, coalesce(recall_count, ${NEW_SIGNALS.recallCount}) AS recallCount,
            substr(coalesce(nullif(note ->> '$.fix', ''), nullif(note ->> '$.rule', ''), nullif(note ->> '$.problem', ''), note ->> '$.body'), 1, 160) AS snippet
     ${from}`,
    parameters,
  );
  return rows.map((row) => ({
    ...row,
    tags: readStrings(row.tags),
    speculative: row.speculative === 1,
  }));
}

/** Notes of an import that wait for a person. */
export const IMPORTED = `status = 'proposed' AND note ->> '$.metadata.held' IS NULL AND note ->> '$.metadata.imported' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM merge_question WHERE incoming_id = learning.id AND state = 'open')`;

/** Why a note waits for a person; each condition has an index. An open merge question is listed on its own. */
const WAITING = {
  suspicious: `status = 'proposed' AND note ->> '$.metadata.held' IS NOT NULL`,
  imported: IMPORTED,
  proposed: `status = 'proposed' AND note ->> '$.metadata.held' IS NULL AND note ->> '$.metadata.imported' IS NULL AND NOT EXISTS (SELECT 1 FROM merge_question WHERE incoming_id = learning.id AND state = 'open')`,
  speculative: 'live = 1 AND speculative = 1',
  unvalidated: `live = 1 AND speculative = 0 AND note ->> '$.validated' = 0`,
  broken: 'document_problem IS NOT NULL',
};

/** The notes that wait for a person, oldest first. */
export function waitingNotes(db: ReadableDb, limit: number): Record<keyof typeof WAITING, LearningRow[]> {
  const from = 'FROM learning LEFT JOIN learning_signal USING (seq)';
  const waiting = Object.entries(WAITING).map(([why, condition]) => [
    why,
    rowsOf(db, `${from} WHERE ${condition} ORDER BY created_at, seq LIMIT :limit`, { limit }),
  ]);
  return Object.fromEntries(waiting) as Record<keyof typeof WAITING, LearningRow[]>;
}

type Facets = Record<string, Array<{ value: string; count: number }>>;

const MOST_VALUES = 100;

/** How many learnings each value of a filter would show, given the other filters. */
export function countFacets(db: ReadableDb, filter: ListFilter): Facets {
  const { where, parameters } = narrowed(filter, ['tag']);
  // One pass over the raw fields of all rows: a query per filter took five times as long.
  const rows = db
    .prepare<[object], (string | null)[]>(
      `SELECT project, branch, category, agent, status, ${TIER} FROM ${SLIM} ${where}`,
    )
    .raw()
    .all(parameters);
  const counts = FIELDS.map(() => new Map<string, number>());
  const places = [...FIELDS.keys()];
  const set = places.filter((place) => filter[FIELDS[place] as Field] !== undefined);
  for (const row of rows) {
    const missed = set.filter((place) => row[place] !== filter[FIELDS[place] as Field]);
    if (missed.length > 1) continue;
    // A row that only one filter excludes would show under another value of that filter.
    for (const place of missed.length === 1 ? missed : places) count(counts[place], row[place]);
  }
  const facets: Facets = Object.fromEntries(
    FIELDS.map((field, place) => [field, mostFirst(counts[place] ?? new Map())]),
  );
  return { ...facets, tag: countTags(db, filter) };
}

function count(values: Map<string, number> | undefined, value: string | null | undefined): void {
  if (value) values?.set(value, (values.get(value) ?? 0) + 1);
}

const mostFirst = (values: ReadonlyMap<string, number>) =>
  [...values]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);

function countTags(db: ReadableDb, filter: ListFilter): Facets[string] {
  const { where, parameters } = narrowed(filter, FIELDS);
  return db.rows<{ value: string; count: number }>(
    `SELECT tag AS value, count(*) AS count FROM learning_tag WHERE seq IN (SELECT seq FROM ${SLIM} ${where}) GROUP BY tag ORDER BY count DESC, value LIMIT ${MOST_VALUES}`,
    parameters,
  );
}

/** The filters and the text as SQL conditions. */
function narrowed(
  filter: ListFilter,
  by: readonly string[],
): { where: string; parameters: Record<string, string> } {
  const parameters: Record<string, string> = {};
  const conditions: string[] = [];
  for (const [field, condition] of Object.entries(CONDITIONS)) {
    const value = filter[field as Field];
    if (value === undefined || !by.includes(field)) continue;
    parameters[field] = value;
    conditions.push(condition);
  }
  const match = filter.text ? typedExpression(filter.text) : '';
  if (match) {
    parameters['match'] = match;
    conditions.push(`seq IN (${MATCHED})`);
  }
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', parameters };
}
