import type { Review, Verdict } from '#contract/outcomes.ts';
import type { Store } from '../../store/learning-write.ts';
import { findLearning } from '../../store/learnings.ts';
import { addReview } from '../../store/reviews.ts';
import { setSignals } from '../../store/signals.ts';
import { afterUse } from '../experience/quality.ts';

export interface Judgement {
  result: Verdict;
  alpha: number;
  source: Review['source'];
  reason: string;
  traceId: string | null;
  session: string;
}

/** One step towards what the outcome was worth: q ← q + α(r − q), with 1 for a pass and 0 for a failure. */
export function learnedUtility(q: number, result: Verdict, alpha: number): number {
  return q + alpha * ((result === 'pass' ? 1 : 0) - q);
}

/** Lets these learnings, and no others, learn from an outcome. Gives those that did; one judged by it before does not again. */
export function judge(store: Store, ids: readonly string[], { result, ...judgement }: Judgement): string[] {
  return store.db.transaction(() => [...new Set(ids)].filter((id) => {
    const learning = findLearning(store.db, id);
    if (!learning) return false;
    const { qValue, ...signals } = learning.signals;
    const qAfter = learnedUtility(qValue, result, judgement.alpha);
    if (!addReview(store.db, { ...judgement, result, at: store.now(), learningId: id, qBefore: qValue, qAfter })) return false;
    setSignals(store.db, id, { qValue: qAfter, ...afterUse(signals, result === 'pass') });
    return true;
  }))();
}
