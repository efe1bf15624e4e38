import type { ReadableDb, WritableDb } from './db.ts';

export interface LoggedRecall {
  at: number;
  query: string;
  project: string;
  session: string;
  ms: number;
  ids: string[];
}

export function logRecall(db: WritableDb, recall: LoggedRecall): void {
  db.prepare('INSERT INTO recall_log (at, query, project, session, ms, ids) VALUES (:at, :query, :project, :session, :ms, :ids)')
    .run({ ...recall, ids: JSON.stringify(recall.ids) });
}

const WINDOW = 200; // the newest recalls say how it is now

export function recallSpeed(db: ReadableDb): { count: number; p50Ms: number; p95Ms: number } {
  const times = (db.prepare<[number], number>('SELECT ms FROM recall_log ORDER BY id DESC LIMIT ?').pluck().all(WINDOW) as number[]).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const count = db.prepare<[], number>('SELECT count(*) FROM recall_log').pluck().get() as number;
  return { count, p50Ms: at(0.5), p95Ms: at(0.95) };
}
