import type { RecallParts } from '../recall/recall.ts';
import { countRecalls } from '../store/learnings/signals.ts';
import { logRecall } from '../store/outcomes/recall-log.ts';

const MOST_LOGGED = 200; // characters of the task

interface Query {
  task: string;
  cwd: string | undefined;
  project: string;
  session: string;
  ms: number;
  ids: string[];
}

/** Records what a query for a task found. A disk that refuses writes does not take the answer away. */
export function logQuery(
  { db, now, isIgnored }: Pick<RecallParts, 'db' | 'now' | 'isIgnored'>,
  { task, cwd, project, session, ms, ids }: Query,
): void {
  if (cwd !== undefined && isIgnored?.(cwd)) return;
  db.health.tolerate(() => {
    logRecall(db, { at: now(), query: task.slice(0, MOST_LOGGED), project, session, ms, ids }, false);
    countRecalls(db, ids, now());
  });
}
