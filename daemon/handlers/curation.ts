import type { Handlers } from '#contract/methods.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { waitingNotes } from '../store/learnings.ts';
import { closeGap, listGaps, openQuestions } from '../store/questions.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'inbox.notes' | 'merges.list' | 'merges.resolve' | 'gaps.list' | 'gaps.close';

const MOST_WAITING = 200;

export function curationHandlers({ store, events }: DaemonParts): Pick<Handlers, Methods> {
  const { db } = store;
  return {
    'inbox.notes': () => waitingNotes(db, MOST_WAITING),
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
