import type { Signals } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

/** Values that change with use are stored here, never in a note's file, which changes with its meaning (S9). */
export const NEW_SIGNALS: Readonly<Signals> = {
  qValue: 0.5,
  quality: 3,
  uses: 0,
  successes: 0,
  proofCount: 1,
  recallCount: 0,
  helpfulCount: 0,
  ignoredCount: 0,
  staleCount: 0,
  lastRecalledAt: null,
  importance: 50,
  maturity: 'draft',
};

/** `qValue` is kept in the column `q_value`. */
const COLUMNS = Object.fromEntries(
  Object.keys(NEW_SIGNALS).map((field) => [
    field,
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/** The names a person may write into a file. */
export const SIGNAL_NAMES: ReadonlySet<string> = new Set(Object.values(COLUMNS));

/** For queries that join `learning_signal`; a learning without a row has the signals of a new one. */
export const SIGNALS_JSON = `iif(learning_signal.seq IS NULL, NULL, json_object(${Object.entries(COLUMNS)
  .map(([field, column]) => `'${field}', ${column}`)
  .join(', ')}))`;

export function readSignals(json: string | null): Signals {
  return json === null ? { ...NEW_SIGNALS } : (JSON.parse(json) as Signals);
}

/** Sets signals; the note's file does not change. */
export function setSignals(db: WritableDb, id: string, signals: Partial<Signals>): void {
  ensureRow(db, id);
  for (const [field, value] of Object.entries(signals)) {
    db.run(
      `UPDATE learning_signal SET ${COLUMNS[field]} = ? WHERE seq = (SELECT seq FROM learning WHERE id = ?)`,
      [value, id],
    );
  }
}

/** Counts a recall of the note. */
export function countRecalls(db: WritableDb, ids: string[], now: number): void {
  const bump = db.prepare(
    'UPDATE learning_signal SET recall_count = recall_count + 1, last_recalled_at = ? WHERE seq = (SELECT seq FROM learning WHERE id = ?)',
  );
  db.transaction(() =>
    ids.forEach((id) => {
      if (bump.run(now, id).changes > 0) return;
      ensureRow(db, id);
      bump.run(now, id);
    }),
  )();
}

export function proofCount(db: ReadableDb, id: string): number {
  return (
    db.value<number>('SELECT proof_count FROM learning JOIN learning_signal USING (seq) WHERE id = ?', id) ??
    NEW_SIGNALS.proofCount
  );
}

function ensureRow(db: WritableDb, id: string): void {
  db.run('INSERT OR IGNORE INTO learning_signal (seq) SELECT seq FROM learning WHERE id = ?', id);
}
