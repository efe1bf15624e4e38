import { setTimeout as sleep } from 'node:timers/promises';
import type { Handlers } from '#contract/methods.ts';
import {
  createTrace,
  type Reviewed,
  reviewedTrace,
  reviewTrace,
  toTrace,
} from '../outcomes/memories/traces.ts';
import { undoReview } from '../outcomes/memories/utility.ts';
import { OUTCOME_KNOBS } from '../outcomes/ports.ts';
import { listReviews } from '../store/outcomes/reviews.ts';
import { getTrace, listTraces } from '../store/outcomes/traces.ts';
import type { DaemonParts } from './daemon-parts.ts';

const WRITER_WAIT = 2_000; // ms; a model may write for minutes, and its memory appears when it is done

export function traceHandlers({ store, settings, reflector }: DaemonParts) {
  const alpha = () => settings.resolver()(OUTCOME_KNOBS.alpha);
  const written = async (reviewed: Reviewed): Promise<Reviewed> => {
    if (reviewed.trace.result === null) return reviewed;
    const waiting = new AbortController();
    await Promise.race([
      reflector.run(),
      sleep(WRITER_WAIT, null, { signal: waiting.signal }).catch(() => null),
    ]);
    waiting.abort();
    return reviewedTrace(store, reviewed.trace.id);
  };
  return {
    'traces.create': (run) => written(createTrace(store, run, alpha())),
    'traces.review': ({ id, ...review }) => written(reviewTrace(store, id, review, alpha())),
    'traces.get': ({ id }) => ({
      ...reviewedTrace(store, id),
      trajectory: getTrace(store.db, id).trajectory,
    }),
    'traces.list': ({ unreviewed = false, limit }) => listTraces(store.db, unreviewed, limit).map(toTrace),
    'reviews.list': (filter) => listReviews(store.db, filter),
    'reviews.undo': ({ id, undone }) => undoReview(store, id, undone),
  } satisfies Partial<Handlers>;
}
