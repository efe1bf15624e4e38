import type { WritableDb } from '../store/db.ts';
import { countRecalls } from '../store/learnings/signals.ts';
import { logRecall } from '../store/outcomes/recall-log.ts';

const MOST_LOGGED = 200; // characters of the task

interface Query {
  task: string;
  project: string;
  session: string;
  ms: number;
  ids: string[];
}

/** Records what a query for a task found. A disk that refuses writes does not take the answer away. */
export function logQuery(
  { db, now }: { db: WritableDb; now: () => number },
  { task, project, session, ms, ids }: Query,
): void {
  db.health.tolerate(() => {
    logRecall(db, { at: now(), query: task.slice(0, MOST_LOGGED), project, session, ms, ids }, false);
    countRecalls(db, ids, now());
  });
}
