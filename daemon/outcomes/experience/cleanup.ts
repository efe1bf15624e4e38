import type { Output } from '#contract/methods.ts';
import type { Learning } from '#contract/entities.ts';
import { flag } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import { appendHistory } from '../../store/learnings/history-log.ts';
import { asOneUnit, changeLearning, type Store } from '../../store/learnings/write.ts';
import { beginning } from '../../text/one-line.ts';
import { EXPERIENCE } from '../../recall/inject/experience-marks.ts';
import { DAY } from '../../platform/time.ts';

export const experienceCleanup = {
  id: 'experience.cleanup',
  seeds: [],
  doc: 'Forgets, once a day, experiences that are out of date, of low quality or never recalled; each can be restored.',
  switch: flag('REFLECT_EXPERIENCE_CLEANUP', true, 'Forget experiences that are out of date or not useful'),
  knobs: {},
} satisfies PortCard;

/** The reason to forget an experience; null when it stays. */
function reasonToForget(
  { status, updatedAt, signals: { quality, uses, recallCount } }: Learning,
  now: number,
): string | null {
  const days = (now - updatedAt) / DAY;
  if (status === 'superseded') return days > 30 ? 'out of date for more than 30 days' : null;
  if (quality >= 5 && uses >= 3) return null; // proven to help
  if (quality <= 1 && days > 90) return 'of the lowest quality for more than 90 days';
  if (recallCount === 0 && quality <= 2 && days > 60) return 'of low quality and not recalled in 60 days';
  if (recallCount <= 1 && quality <= 3 && days > 120) return 'hardly recalled in 120 days';
  return null;
}

type Forgotten = Output<'experience.cleanup'>['forgotten'][number];

/** Forgets the experiences that are due, as one event that can be undone. A dry run only lists them. */
export function cleanUp(store: Store, { dryRun = false } = {}): Forgotten[] {
  const now = store.now();
  const due = learningsOfType(store.db, { type: EXPERIENCE, statuses: ['active', 'superseded'] }).flatMap(
    (learning): Forgotten[] => {
      const why = reasonToForget(learning, now);
      return why ? [{ id: learning.id, task: learning.task || learning.title, why }] : [];
    },
  );
  if (dryRun || due.length === 0) return due;
  asOneUnit(store, () => {
    for (const { id, why } of due)
      changeLearning(store, id, { status: 'forgotten' }, { actor: 'upkeep', kind: 'archive', reason: why });
    const text = `Forgot ${due.length} experiences: ${beginning(due.map(({ task }) => task).join('; '), 400)}`;
    appendHistory(store, { at: now, kind: 'upkeep', text });
  });
  return due;
}
