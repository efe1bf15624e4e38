import { DaemonError } from '#contract/errors.ts';
import type { Review, Verdict } from '#contract/outcomes.ts';
import type { Store } from '../../store/learnings/write.ts';
import { findLearning } from '../../store/learnings/learnings.ts';
import { addReview, getReview, markUndone, qualityStepOf, retrace } from '../../store/outcomes/reviews.ts';
import { setSignals } from '../../store/learnings/signals.ts';
import { afterUse, withinQuality } from '../experience/quality.ts';

type Judgement = Pick<Review, 'result' | 'alpha' | 'source' | 'reason' | 'traceId' | 'session'>;

/** One step towards the value of the outcome: q ← q + α(r − q), where r is 1 for a pass and 0 for a failure. */
export function learnedUtility(q: number, result: Verdict, alpha: number): number {
  return q + alpha * ((result === 'pass' ? 1 : 0) - q);
}

/** Updates these learnings by an outcome and returns those that changed. An outcome judges a learning only once. */
export function judge(store: Store, ids: readonly string[], { result, ...judgement }: Judgement): string[] {
  return store.db.transaction(() =>
    [...new Set(ids)].filter((id) => {
      const learning = findLearning(store.db, id);
      if (!learning) return false;
      const { qValue, ...signals } = learning.signals;
      const qAfter = learnedUtility(qValue, result, judgement.alpha);
      const used = afterUse(signals, result === 'pass');
      const qualityStep = used.quality - signals.quality;
      if (
        !addReview(store.db, {
          ...judgement,
          result,
          at: store.now(),
          learningId: id,
          qBefore: qValue,
          qAfter,
          qualityStep,
        })
      )
        return false;
      setSignals(store.db, id, { qValue: qAfter, ...used });
      return true;
    }),
  )();
}

/** Undoes a review or restores it: the learning is as if the review never happened, and later reviews still count. */
export function undoReview(store: Store, reviewId: number, isUndone: boolean): Review {
  return store.db.transaction(() => {
    const { learningId, result, undoneAt } = getReview(store.db, reviewId);
    if ((undoneAt !== null) === isUndone)
      throw new DaemonError(
        'conflict',
        `review ${reviewId} ${isUndone ? 'is already undone' : 'is not undone'}`,
      );
    markUndone(store.db, reviewId, isUndone ? store.now() : null);
    const qValue = retrace(store.db, learningId, (q, review) =>
      review.undoneAt === null ? learnedUtility(q, review.result, review.alpha) : q,
    );
    const signals = findLearning(store.db, learningId)?.signals;
    const by = isUndone ? -1 : 1;
    if (signals && qValue !== null) {
      const { uses, successes, quality } = signals;
      setSignals(store.db, learningId, {
        qValue,
        uses: Math.max(0, uses + by),
        successes: Math.max(0, successes + (result === 'pass' ? by : 0)),
        quality: withinQuality(quality + by * qualityStepOf(store.db, reviewId)),
      });
    }
    return getReview(store.db, reviewId);
  })();
}
