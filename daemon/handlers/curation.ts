import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { listGaps, openQuestions } from '../store/questions.ts';
import { findSlot, listSlots, putSlot } from '../store/slots.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'merges.list' | 'merges.resolve' | 'gaps.list' | 'slots.list' | 'slots.set';

const SLOT_LIMIT = 2_000; // characters

export function curationHandlers({ store, events, now }: DaemonParts): Pick<Handlers, Methods> {
  const { db } = store;
  return {
    'merges.list': () => openQuestions(db),
    'merges.resolve': ({ id, action, merged }) => {
      answerMerge(store, id, action, merged);
      events.emit({ type: 'inbox.changed' });
      return { ok: true };
    },
    'gaps.list': () => listGaps(db),
    'slots.list': ({ project }) => listSlots(db, project),
    'slots.set': ({ project, name, content }) => {
      const known = findSlot(db, project, name);
      if (known?.readOnly) throw new DaemonError('read-only', `slot ${name}`);
      const sizeLimit = known?.sizeLimit ?? SLOT_LIMIT;
      if (content.length > sizeLimit) throw new DaemonError('bad-input', `slot ${name} holds ${sizeLimit} characters, not ${content.length}`);
      const slot = { project, name, content, description: known?.description ?? '', sizeLimit, readOnly: false, updatedAt: now() };
      putSlot(db, slot);
      return slot;
    },
  };
}
