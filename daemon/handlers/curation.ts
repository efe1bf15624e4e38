import type { Handlers } from '#contract/methods.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { listGaps, openQuestions } from '../store/questions.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'merges.list' | 'merges.resolve' | 'gaps.list';

export function curationHandlers({ store, events }: DaemonParts): Pick<Handlers, Methods> {
  const { db } = store;
  return {
    'merges.list': () => openQuestions(db),
    'merges.resolve': ({ id, action, merged }) => {
      answerMerge(store, id, action, merged);
      events.emit({ type: 'inbox.changed' });
      return { ok: true };
    },
    'gaps.list': () => listGaps(db),
  };
}
