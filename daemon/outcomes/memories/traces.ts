import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { DaemonError } from '#contract/errors.ts';
import type { NewTrace, Review, ReviewInput, Trace } from '#contract/outcomes.ts';
import { appendHistory } from '../../store/learnings/history-log.ts';
import { asOneUnit, type Store } from '../../store/learnings/write.ts';
import { findLearning } from '../../store/learnings/learnings.ts';
import { openToRuns, reviewsOfTrace } from '../../store/outcomes/reviews.ts';
import {
  countReviewed,
  getTrace,
  judgeTrace,
  putTrace,
  type StoredTrace,
} from '../../store/outcomes/traces.ts';
import { DAY } from '../../platform/time.ts';
import { resolveProject } from '../resolve-project.ts';
import { beginning } from '../../text/one-line.ts';
import { toolsIn } from './trajectory.ts';
import { judge } from './utility.ts';

export interface Reviewed {
  trace: Trace;
  reviews: Review[];
}

/** A trace without its trajectory, which is read separately. */
export function toTrace({ trajectory, ...trace }: StoredTrace): Trace {
  return { ...trace, toolsUsed: toolsIn(trajectory) };
}

/** Adds a run and its review, if it has one, in one transaction. */
export function createTrace(
  store: Store,
  { review, reviewResult, feedback, alpha, actor, cwd, project, branch, ...run }: z.output<typeof NewTrace>,
  usualAlpha: number,
): Reviewed {
  const verdict = review ?? (reviewResult && { result: reviewResult, feedback, alpha });
  if (!verdict && (feedback || alpha !== undefined))
    throw new DaemonError('bad-input', 'feedback and alpha belong to a reviewResult');
  const unknown = run.retrievedMemoryIds.filter((id) => !findLearning(store.db, id));
  if (unknown.length > 0)
    throw new DaemonError('not-found', `these memories do not exist: ${unknown.slice(0, 5).join(', ')}`);
  const resolved = resolveProject({ cwd, project, branch });
  if (verdict && actor === 'agent')
    refuseTooManyReviews(store, { session: run.session, project: resolved.project ?? '' });
  const id = `trace-${randomUUID()}`;
  return asOneUnit(store, () => {
    putTrace(store.db, {
      ...run,
      id,
      at: store.now(),
      project: resolved.project ?? '',
      branch: resolved.branch,
    });
    appendHistory(store, {
      kind: 'trace',
      project: resolved.project ?? '',
      session: run.session,
      text: `Worked on: ${beginning(run.task, 200)}`,
    });
    return verdict ? reviewTrace(store, id, verdict, usualAlpha, actor) : reviewedTrace(store, id);
  });
}

/** Every review writes a lesson, so an agent that repeats itself, or invents sessions, would fill the Inbox. */
const MOST_REVIEWS_A_DAY = { session: 50, project: 200 };

function refuseTooManyReviews({ db, now }: Store, of: { session: string; project: string }): void {
  const { inSession, inProject } = countReviewed(db, of, now() - DAY);
  if (inSession >= MOST_REVIEWS_A_DAY.session || inProject >= MOST_REVIEWS_A_DAY.project)
    throw new DaemonError(
      'too-many',
      `agents can review ${MOST_REVIEWS_A_DAY.session} runs a day in a session and ${MOST_REVIEWS_A_DAY.project} in a project`,
    );
}

/** Reviews a run, once. Only the memories that were injected into it learn from it. */
export function reviewTrace(
  store: Store,
  id: string,
  { result, alpha, feedback }: z.output<typeof ReviewInput>,
  usualAlpha: number,
  actor: z.output<typeof NewTrace>['actor'] = 'person',
): Reviewed {
  const trace = getTrace(store.db, id);
  if (trace.result !== null)
    throw new DaemonError('conflict', `${id} is already reviewed as ${trace.result}`);
  const { project, session, retrievedMemoryIds } = trace;
  const verdict = { result, alpha: alpha ?? usualAlpha };
  const ended = result === 'pass' ? 'passed' : 'failed';
  return asOneUnit(store, () => {
    const reviewedAt = store.now();
    judgeTrace(store.db, id, { ...verdict, feedback, reviewedAt });
    // Only agents have sessions, whichever way their review comes.
    const by = { session, project, actor: session === '' ? actor : 'agent' } as const;
    const judged = openToRuns(store.db, retrievedMemoryIds, by, reviewedAt);
    judge(store, judged, {
      ...verdict,
      source: 'trace',
      traceId: id,
      session,
      reason: feedback || `the run it was injected into ${ended}`,
    });
    const text = `A run ${ended}: ${beginning(trace.task, 200)}`;
    appendHistory(store, { at: reviewedAt, kind: 'review', project, session, text });
    return reviewedTrace(store, id);
  });
}

export function reviewedTrace({ db }: Store, id: string): Reviewed {
  return { trace: toTrace(getTrace(db, id)), reviews: reviewsOfTrace(db, id) };
}
