import type { QuotaReading, WriterDay, WriterRun } from '#contract/writers.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

const RUN =
  'at, writer, model, window AS moment, tokens_in AS tokensIn, tokens_out AS tokensOut, cost_usd AS costUsd, ms, outcome, detail';

export function recordRun(db: WritableDb, run: WriterRun): void {
  db.insert(
    'INTO writer_run (at, writer, model, window, tokens_in, tokens_out, cost_usd, ms, outcome, detail)',
    { ...run, window: run.moment },
  );
}

export function recentRuns(db: ReadableDb, limit: number): WriterRun[] {
  return db.rows<WriterRun>(`SELECT ${RUN} FROM writer_run ORDER BY id DESC LIMIT ?`, limit);
}

/** Newest day first; a day begins at midnight where the daemon runs. */
export function totalsByDay(db: ReadableDb, days: number): WriterDay[] {
  return db.rows<WriterDay>(
    `SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, count(*) AS runs, count(*) FILTER (WHERE outcome = 'valid') AS notes,
       sum(tokens_in) AS tokensIn, sum(tokens_out) AS tokensOut, sum(cost_usd) AS costUsd
     FROM writer_run GROUP BY day ORDER BY day DESC LIMIT ?`,
    days,
  );
}

export function tokensSince(db: ReadableDb, since: number): number {
  return db.count('SELECT coalesce(sum(tokens_in + tokens_out), 0) FROM writer_run WHERE at >= ?', since);
}

export function tokensOnMoment(db: ReadableDb, moment: string): number {
  return db.count('SELECT coalesce(sum(tokens_in + tokens_out), 0) FROM writer_run WHERE window = ?', moment);
}

/** When each other moment was first sent to a writer since then, oldest first; retries belong to the first run. */
export function otherMomentsSince(db: ReadableDb, since: number, moment: string): number[] {
  return db.values<number>(
    'SELECT min(at) AS first FROM writer_run WHERE at >= ? AND window <> ? GROUP BY window ORDER BY first',
    [since, moment],
  );
}

export interface BreakerState {
  streak: number;
  restsUntil: number;
  reason: string;
}

export function readBreaker(db: ReadableDb, writer: string): BreakerState {
  return (
    db.row<BreakerState>(
      'SELECT streak, rests_until AS restsUntil, reason FROM writer_breaker WHERE writer = ?',
      writer,
    ) ?? { streak: 0, restsUntil: 0, reason: '' }
  );
}

export function saveBreaker(db: WritableDb, writer: string, state: BreakerState): void {
  db.insert('OR REPLACE INTO writer_breaker (writer, streak, rests_until, reason)', { writer, ...state });
}

export function readQuota(db: ReadableDb, writer: string): QuotaReading[] {
  return db
    .rows<Omit<QuotaReading, 'closed'> & { closed: number }>(
      'SELECT window, utilization, closed, resets_at AS resetsAt, seen_at AS seenAt FROM writer_quota WHERE writer = ? ORDER BY window',
      writer,
    )
    .map((row) => ({ ...row, closed: row.closed === 1 }));
}

export function saveQuota(db: WritableDb, writer: string, readings: readonly QuotaReading[]): void {
  db.transaction(() => {
    for (const reading of readings)
      db.insert('OR REPLACE INTO writer_quota (writer, window, utilization, closed, resets_at, seen_at)', {
        writer,
        ...reading,
      });
  })();
}
