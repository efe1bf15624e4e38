import type { Handlers } from '#contract/methods.ts';
import { inject } from '../recall/inject.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'recall.search' | 'recall.explain' | 'recall.inject';

export function recallHandlers(parts: DaemonParts): Pick<Handlers, Methods> {
  const recallParts = recallPartsOf(parts);
  return {
    'recall.search': ({ quiet = false, ...question }) => answer(recallParts, question, { quiet }),
    'recall.explain': ({ quiet: _, ...question }) => answer(recallParts, question, { explain: true, quiet: true }),
    'recall.inject': (request) => inject(recallParts, request),
  };
}

export function recallPartsOf({ store: { db }, settings, inference, vectorIndexes, recallCache, now }: DaemonParts): RecallParts {
  return { db, settings, inference, indexes: vectorIndexes, cache: recallCache, now };
}
