import type { Review } from '#contract/outcomes.ts';
import { flag, number, type UserResolve, resolveAll } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import type { Store } from '../../store/learnings/write.ts';
import { recalledBefore, sessionOutcomes as endings } from '../../store/outcomes/reviews.ts';
import { judge } from './utility.ts';
import { HOUR } from '../../platform/time.ts';

const SESSION_OUTCOME_KNOBS = {
  alpha: number('REFLECT_SESSION_OUTCOME_ALPHA', {
    default: 0.1,
    min: 0,
    max: 1,
    doc: 'How much tests or a correction change the utility of a recalled learning',
  }),
  hours: number('REFLECT_SESSION_OUTCOME_HOURS', {
    default: 6,
    min: 0.1,
    max: 168,
    doc: 'Hours before an outcome within which a recalled learning is reviewed by it',
  }),
};

export const sessionOutcomes = {
  id: 'outcomes.session',
  seeds: [],
  doc: 'Judges recalled learnings by how the session continues: up a little when tests begin to pass, down when they break or the person corrects the agent.',
  switch: flag(
    'REFLECT_SESSION_OUTCOMES',
    true,
    'Let tests and corrections review the learnings a session recalled',
  ),
  knobs: SESSION_OUTCOME_KNOBS,
} satisfies PortCard;

const LOOKED_BACK = 7 * 24 * HOUR; // transcripts are read within minutes, so older endings were seen already
/** Signals by which a person says that the agent was wrong. */
const CORRECTIONS = ['correction', 'repeated', 'redirect', 'rejection'].map((name) => `signal.${name}`);

/** Judges recalled learnings by new session endings; known endings change nothing. Returns the changes of each. */
export function judgeBySessions(
  store: Store,
  resolve: UserResolve,
): Array<{ source: Review['source']; session: string; learnings: string[] }> {
  if (!resolve(sessionOutcomes.switch)) return [];
  const { alpha, hours } = resolveAll(sessionOutcomes.knobs, resolve);
  return endings(store.db, store.now() - LOOKED_BACK, CORRECTIONS).flatMap((ending) => {
    const { session, source, result, reason } = ending;
    const recalled = recalledBefore(store.db, ending, hours * HOUR);
    const learnings =
      recalled.length === 0
        ? []
        : judge(store, recalled, { result, alpha, source, reason, session, traceId: null });
    return learnings.length > 0 ? [{ source, session, learnings }] : [];
  });
}
