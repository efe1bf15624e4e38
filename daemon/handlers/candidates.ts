import type { Handlers } from '#contract/methods.ts';
import { showLocalJudge } from '../drain/local-judge.ts';
import { dropCandidates, keepCandidates } from '../knowledge/candidates.ts';
import { listCandidates } from '../store/learnings/candidates.ts';
import { forgetDecisions } from '../store/learnings/decisions.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function candidateHandlers({ store }: DaemonParts) {
  return {
    'candidates.list': (filter) => listCandidates(store.db, filter),
    'candidates.keep': ({ ids, patch = {}, reason }) =>
      keepCandidates(store, ids, patch, { actor: 'person', reason: reason || 'kept by a person' }),
    'candidates.drop': ({ ids, reason }) =>
      dropCandidates(store, ids, { actor: 'person', reason: reason || 'dropped by a person' }),
    'judge.show': () => showLocalJudge(store.db),
    'judge.reset': () => {
      forgetDecisions(store.db);
      return { ok: true };
    },
  } satisfies Partial<Handlers>;
}
