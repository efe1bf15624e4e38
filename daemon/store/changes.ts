import type { Consolidation } from '#contract/distill.ts';
import type { Change, Learning, MergeQuestion } from '#contract/entities.ts';

/** Counts of what maintenance repaired in the graph, or would repair. */
export interface GraphMending {
  /** Edges and mentions with a missing end. */
  dangling: number;
  /** Entities with notes but no edge, now linked to another entity of their note. */
  relinked: number;
  /** Entities without a note or an edge. */
  orphans: number;
}

/**
 * Everything the store announces. A change is announced where its row is written, so every writer's changes are
 * announced alike.
 */
export type StoreChange =
  | { type: 'learning.changed'; kind: Change['kind']; learning: Learning }
  | { type: 'learning.erased'; id: string }
  | {
      type: 'question.asked';
      id: number;
      kind: MergeQuestion['kind'];
      existingId: string;
      incomingId: string;
    }
  | { type: 'knowledge.replaced' }
  | { type: 'question.answered'; id: number; state: MergeQuestion['state'] }
  | { type: 'question.reopened'; id: number }
  | { type: 'gap.opened' | 'gap.closed' | 'gap.reopened'; query: string; project: string }
  | { type: 'slot.changed'; project: string; name: string }
  | { type: 'document.flagged' | 'document.cleared'; path: string }
  | { type: 'skill.outdated' | 'skill.settled' | 'skill.refreshed'; path: string }
  | { type: 'conventions.changed'; project: string | null }
  | { type: 'outcome.recorded' }
  | { type: 'consolidation.completed'; pass: Consolidation }
  | { type: 'graph.maintained'; mending: GraphMending };

/** Receives the changes of one commit, in the order in which they were made. */
export type ChangeListener = (changes: readonly StoreChange[]) => void;

interface Subscription {
  listener: ChangeListener;
  onError: (error: unknown) => void;
}

/**
 * The one feed of what changes in the store. Changes are collected while a transaction is open and published after the
 * outermost commit; those of a transaction or savepoint that is rolled back are dropped with it.
 */
export class ChangeFeed {
  readonly #inTransaction: () => boolean;
  readonly #subscriptions = new Set<Subscription>();
  /** Announced, and not committed yet. */
  #open: StoreChange[] = [];
  /** Committed, and not published yet: a listener that writes again adds to it. */
  readonly #committed: StoreChange[][] = [];
  #publishing = false;

  constructor(inTransaction: () => boolean) {
    this.#inTransaction = inTransaction;
  }

  /** Returns the way to stop listening. A listener that throws is reported to `onError`; the others still run. */
  subscribe(listener: ChangeListener, onError: (error: unknown) => void): () => void {
    const subscription = { listener, onError };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  /** Outside a transaction the row is committed already, so the change is published at once. */
  announce(change: StoreChange): void {
    this.#open.push(change);
    this.#publish();
  }

  /** Runs a transaction or savepoint and drops what was announced in it if it fails. */
  collect<T>(transaction: () => T): T {
    const before = this.#open.length;
    let result: T;
    try {
      result = transaction();
    } catch (error) {
      this.#open.length = before;
      throw error;
    }
    this.#publish();
    return result;
  }

  #publish(): void {
    if (this.#inTransaction() || this.#open.length === 0) return;
    this.#committed.push(this.#open);
    this.#open = [];
    if (this.#publishing) return; // a listener wrote: the loop below comes to it after the changes before it
    this.#publishing = true;
    try {
      for (let changes = this.#committed.shift(); changes; changes = this.#committed.shift())
        this.#deliver(changes);
    } finally {
      this.#publishing = false;
    }
  }

  #deliver(changes: readonly StoreChange[]): void {
    for (const { listener, onError } of [...this.#subscriptions]) {
      try {
        listener(changes);
      } catch (error) {
        onError(error);
      }
    }
  }
}
