import type { Learning } from '#contract/entities.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { branchEnd } from '../platform/branch-end.ts';
import type { Log } from '../platform/log.ts';
import { DAY } from '../platform/time.ts';
import { Turns } from '../platform/turns.ts';
import { integer, type UserResolve } from '../ports/knob.ts';
import { findLearning, projectRoot } from '../store/learnings/learnings.ts';
import { branchWasChosen, notesOnBranches } from '../store/learnings/find.ts';
import { BY_HAND, changeLearning, type Store } from '../store/learnings/write.ts';
import { BRANCH_ACTOR, BRANCH_REASON, releaseFromBranch } from './branch-release.ts';

export const BRANCH_KNOBS = {
  days: integer('REFLECT_BRANCH_DAYS', {
    default: 14,
    min: 1,
    max: 3_650,
    doc: 'Days after which a learning about unfinished work on a branch applies to the whole project',
  }),
};

interface BranchParts {
  store: Store;
  resolve: UserResolve;
  log: Log;
  /** The words by which a note speaks of its branch's unfinished work; null if it does not. */
  reasonFor: (note: Learning, branch: string) => string | null;
}

type Bound = Learning & { branch: string };

const SETTLE = 2_000; // ms
const ASK_AGAIN = 60_000; // ms; a busy session drains more often than branches are merged
const REPOSITORY_TIMEOUT = 10_000; // ms, for all branches of a repository

/** Makes the learnings of a branch the project's when the branch is merged or gone, or when they are old. */
export class Branches {
  readonly #parts: BranchParts;
  readonly #task: BackgroundTask<number>;
  readonly #askedAt = new Map<string, number>();

  constructor(parts: BranchParts) {
    this.#parts = parts;
    this.#task = new BackgroundTask({
      settleMs: SETTLE,
      work: (signal) => this.#sweep(signal),
      // Days pass without an event to wake us; without notes on branches there is nothing to wait for.
      next: () => (this.#bound().length > 0 ? DAY : null),
      onError: (error) => parts.log.error('looking at the branches of notes', error),
    });
  }

  /** Looks soon, because something was learned. */
  wake(): void {
    this.#task.wake();
  }

  /** Looks soon and asks git again, because branches are merged between sessions. */
  sessionStarted(): void {
    this.#askedAt.clear();
    this.wake();
  }

  /** Looks now. Returns the number of learnings that became the project's. */
  sweep(): Promise<number> {
    return this.#task.run();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  #bound(): string[] {
    return notesOnBranches(this.#parts.store.db, BRANCH_ACTOR);
  }

  async #sweep(signal: AbortSignal): Promise<number> {
    const { store } = this.#parts;
    const turns = new Turns(signal);
    const waiting: Bound[] = [];
    let released = 0;
    for (const id of this.#bound()) {
      const learning = findLearning(store.db, id);
      if (learning && isBound(learning)) {
        const reason = this.#reasonToRelease(learning);
        if (reason === null) waiting.push(learning);
        else released += release(store, learning, reason);
      }
      await turns.next();
    }
    for (const [project, learnings] of Map.groupBy(waiting, ({ project }) => project))
      released += await this.#releaseEnded(project, learnings, signal);
    return released;
  }

  /** Why a note is the project's whatever became of the branch; null if it is the branch's. */
  #reasonToRelease(learning: Bound): string | null {
    const { store, resolve } = this.#parts;
    const { branch, updatedAt } = learning;
    if (this.#isBoundByChance(learning))
      return `it was learned on ${branch}, and does not speak of that branch’s work`;
    const days = resolve(BRANCH_KNOBS.days);
    return updatedAt + days * DAY <= store.now() ? `it was on ${branch} for ${days} days` : null;
  }

  /**
   * Older versions bound every captured note to the branch of its session, without a reason. A person's choice of a
   * branch stays, and so does a note that speaks of the branch: it gets its reason now.
   */
  #isBoundByChance(learning: Bound): boolean {
    const { store, reasonFor } = this.#parts;
    const { id, metadata, branch } = learning;
    if (BRANCH_REASON in metadata || !isCaptured(learning) || branchWasChosen(store.db, id, PEOPLE))
      return false;
    const reason = reasonFor(learning, branch);
    if (reason !== null)
      changeLearning(
        store,
        id,
        { metadata: { ...metadata, [BRANCH_REASON]: reason } },
        { actor: BRANCH_ACTOR, kind: 'update', reason: `belongs to ${branch}: ${reason}`, keepsDate: true },
      );
    return reason === null;
  }

  /** Asks git about the branches of a project. Without a repository only days count. */
  async #releaseEnded(project: string, learnings: Bound[], signal: AbortSignal): Promise<number> {
    const { store } = this.#parts;
    const root = projectRoot(store.db, project);
    if (root === '' || store.now() < (this.#askedAt.get(project) ?? -Infinity) + ASK_AGAIN) return 0;
    this.#askedAt.set(project, store.now());
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(REPOSITORY_TIMEOUT)]);
    let released = 0;
    for (const [branch, ofBranch] of Map.groupBy(learnings, (learning) => learning.branch)) {
      const end = await branchEnd(root, branch, inTime);
      signal.throwIfAborted();
      if (end === null) continue;
      // Read again: a note may have been edited while git was asked.
      for (const { id } of ofBranch) {
        const learning = findLearning(store.db, id);
        if (learning?.branch === branch) released += release(store, learning, end);
      }
    }
    return released;
  }
}

const PEOPLE = ['person', BY_HAND.actor];
/** Writers of notes that take their place from a session or from other notes. */
const DERIVED = new Set(['trace', 'distill']);

const release = (store: Store, learning: Learning, reason: string) =>
  releaseFromBranch(store, learning, reason).branch === null ? 1 : 0;
const isBound = (learning: Learning): learning is Bound => learning.branch !== null;
const isCaptured = ({ provenance }: Learning) =>
  provenance.transcript !== '' || DERIVED.has(provenance.agent);
