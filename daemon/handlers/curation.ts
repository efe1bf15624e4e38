import type { Inbox } from '#contract/distill.ts';
import type { Handlers } from '#contract/methods.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { closeGap, listGaps, openQuestions } from '../store/learnings/questions.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'inbox.list' | 'merges.list' | 'merges.resolve' | 'gaps.list' | 'gaps.close';

export function curationHandlers(
  { store, events }: DaemonParts,
  inbox: () => Inbox,
): Pick<Handlers, Methods> {
  const { db } = store;
  return {
    'inbox.list': inbox,
    'merges.list': () => openQuestions(db),
    'merges.resolve': ({ id, action, merged }) => {
      const answered = answerMerge(store, id, action, merged ?? {}, 'person');
      events.emit({ type: 'inbox.changed' });
      return answered;
    },
    'gaps.list': () => listGaps(db),
    'gaps.close': ({ query, project, closed }) => {
      closeGap(db, { query, project }, closed);
      events.emit({ type: 'inbox.changed' });
      return { ok: true };
    },
  };
}
