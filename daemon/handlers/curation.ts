import type { Inbox } from '#contract/distill.ts';
import type { Handlers } from '#contract/methods.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { closeGap, listGaps, openQuestions } from '../store/learnings/questions.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function curationHandlers({ store }: DaemonParts, inbox: () => Inbox) {
  const { db } = store;
  return {
    'inbox.list': inbox,
    'merges.list': () => openQuestions(db),
    'merges.resolve': ({ id, action, merged }) => answerMerge(store, id, action, merged ?? {}, 'person'),
    'gaps.list': () => listGaps(db),
    'gaps.close': ({ query, project, closed }) => {
      closeGap(db, { query, project }, closed);
      return { ok: true };
    },
  } satisfies Partial<Handlers>;
}
