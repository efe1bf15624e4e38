import type { ReadableDb } from '../db.ts';

/** A stored text that came from outside. */
interface StoredText {
  where:
    | 'learning'
    | 'history'
    | 'moment'
    | 'slot'
    | 'slot history'
    | 'question'
    | 'persona'
    | 'commit'
    | 'outcome'
    | 'trace'
    | 'review'
    | 'event'
    | 'loop';
  id: string;
  /** A plain text, or JSON that contains texts. */
  text: string;
}

const TABLES: ReadonlyArray<[StoredText['where'], id: string, text: string, table: string]> = [
  ['learning', 'id', 'note', 'learning'],
  ['history', 'learning_id', 'json_array(json(before), json(after), reason)', 'change'],
  ['moment', 'id', 'payload', 'capture_window'],
  ['slot', 'name', `json_array(content, description)`, 'slot'],
  ['slot history', 'name', 'json_array(json(before), json(after))', 'slot_change'],
  ['question', 'id', 'query', 'gap'],
  ['question', 'id', 'query', 'recall_log'],
  ['persona', 'field', 'value', 'persona'],
  ['commit', 'sha', 'message', 'commit_link'],
  ['outcome', 'id', 'detail', 'effect'],
  ['trace', 'id', 'json_array(task, json(trajectory), final_response, json(metadata), feedback)', 'trace'],
  ['review', 'id', 'reason', 'review'],
  ['event', 'id', 'text', 'history_entry'],
  ['loop', 'id', 'task', 'loop'],
  ['loop', 'loop_id', 'record', 'loop_iteration'],
];
const SLICE = 100; // rows

/** All ingested texts, a slice at a time, so that a long scan can yield in between. */
export function* storedTexts(db: ReadableDb): Generator<StoredText[]> {
  for (const [where, id, text, table] of TABLES) {
    // By row number, not by offset: rows written during the scan shift nothing.
    const next = db.prepare<[number, number], { row: number; id: string; text: string }>(
      `SELECT _rowid_ AS row, CAST(${id} AS TEXT) AS id, ${text} AS text FROM ${table} WHERE _rowid_ > ? ORDER BY _rowid_ LIMIT ?`,
    );
    for (let last = 0; ;) {
      const rows = next.all(last, SLICE);
      if (rows.length === 0) break;
      yield rows.map((row) => ({ where, id: row.id, text: row.text }));
      last = rows.at(-1)?.row ?? last;
    }
  }
}
