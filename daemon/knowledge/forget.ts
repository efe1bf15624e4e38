import { flag, integer } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { changeLearning, type Store } from '../store/learnings/write.ts';
import { type Expired, expiredLearnings } from '../store/learnings/find.ts';
import { dateOf } from '../platform/time.ts';

export const forgetting = {
  id: 'knowledge.forget',
  seeds: ['A3'],
  doc: 'Forgets a learning after its forget_after date: its file moves to .forgotten and can be restored.',
  switch: flag(
    'REFLECT_FORGET_EXPIRED',
    true,
    'Forget learnings past their forget_after date, in the background',
  ),
  knobs: {
    everyMinutes: integer('REFLECT_FORGET_EVERY_MINUTES', {
      default: 60,
      min: 1,
      max: 10_080,
      doc: 'How often to look for expired learnings',
    }),
  },
} satisfies PortCard;

const BY_EXPIRY = 'expiry';

/** Live and proposed learnings that have expired; one a person restored stays until it gets another date. */
export const expired = ({ db, now }: Store): Expired[] => [...expiredLearnings(db, now(), BY_EXPIRY)].flat();

/** Forgets expired learnings one by one. */
export function* forgetExpired(store: Store): Generator<void, Expired[]> {
  const forgotten: Expired[] = [];
  for (const due of expiredLearnings(store.db, store.now(), BY_EXPIRY)) {
    for (const { id, forgetAfter } of due) {
      const reason = `expired on ${dateOf(forgetAfter)}`;
      changeLearning(store, id, { status: 'forgotten' }, { actor: BY_EXPIRY, kind: 'archive', reason });
      yield;
    }
    forgotten.push(...due);
    yield;
  }
  return forgotten;
}
