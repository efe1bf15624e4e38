import type { Inference } from '../inference/inference.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Foreground } from '../platform/foreground.ts';
import type { Log } from '../platform/log.ts';
import { inTurns, Turns } from '../platform/turns.ts';
import type { UserResolve } from '../ports/knob.ts';
import type { GraphMending } from '../store/changes.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { findLive } from '../store/learnings/learnings.ts';
import { addToCounter, countersWith } from '../store/meta.ts';
import { askMerge, wasPersonAsked } from '../store/learnings/questions.ts';
import {
  areManyByRule,
  countUnexamined,
  dropRetired,
  isUnexamined,
  markExamined,
  markExaminedByRule,
  nextByMeaning,
  nextByRule,
  type Unexamined,
} from '../store/learnings/unexamined.ts';
import { SignMap } from '../store/search/sign-map.ts';
import { vectorsOf } from '../store/search/vectors.ts';
import { adjudicated } from './adjudicate.ts';
import { askIfOpposite, contradictions, settleByRule, withoutRival } from './contradictions.ts';
import { forgetExpired, forgetting } from './forget.ts';
import { graphMaintenance, maintain } from './graph-maintenance.ts';
import { nearestToStored, type Space, spaceOf } from './neighbours.ts';
import { type Preview, twinOf, twins } from './twins.ts';
import { MINUTE } from '../platform/time.ts';

export interface UpkeepParts {
  store: Store;
  inference: Pick<Inference, 'available' | 'rerank'>;
  resolve: UserResolve;
  log: Log;
  /** Recalls and hooks, which go first. */
  foreground?: Foreground;
}

interface Swept {
  forgotten: number;
  superseded: number;
  asked: number;
  graph: GraphMending | null;
}

const SETTLE = 2_000; // ms; a note just learned is still being embedded
const MANY = 200; // notes
const ACTOR = 'upkeep';

/** Maintains the knowledge in the background: forgets expired learnings, compares new ones, keeps the graph tidy. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #task: BackgroundTask<Swept>;
  #graphDue = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#task = new BackgroundTask({
      settleMs: SETTLE,
      work: (signal) => this.#sweep(signal),
      next: () => parts.resolve(forgetting.knobs.everyMinutes) * MINUTE,
      onError: (error) => parts.log.error('maintaining the knowledge', error),
    });
  }

  /** Starts a sweep soon, because something changed. */
  wake(): void {
    this.#task.wake();
  }

  /** Counts a drain; after a number of them the graph is maintained. */
  drained(): void {
    const {
      store: { db },
      resolve,
    } = this.#parts;
    addToCounter(db, DRAINS, 1);
    const drains = countersWith(db, DRAINS)[''] ?? 0;
    if (resolve(graphMaintenance.switch) && drains % resolve(graphMaintenance.knobs.every) === 0)
      this.#graphDue = true;
    this.wake();
  }

  /** One sweep over everything that is due. */
  sweep(): Promise<Swept> {
    return this.#task.run();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #sweep(signal: AbortSignal): Promise<Swept> {
    const { store, resolve, inference, foreground } = this.#parts;
    const swept: Swept = { forgotten: 0, superseded: 0, asked: 0, graph: null };
    // All in steps of a few milliseconds, so that a recall never waits for more than one of them.
    await inTurns(this.#withoutModels(swept), signal, { foreground });
    const space = spaceOf(store.db, inference);
    if (space && (resolve(twins.switch) || resolve(contradictions.switch)))
      await this.#compareByMeaning(space, resolve, swept, signal);
    if (this.#graphDue) {
      this.#graphDue = false;
      swept.graph = await inTurns(maintain(store.db), signal, { foreground });
    }
    return swept;
  }

  *#withoutModels(swept: Swept): Generator<void> {
    const { store, resolve } = this.#parts;
    if (resolve(forgetting.switch)) swept.forgotten += (yield* forgetExpired(store)).length;
    if (resolve(contradictions.switch)) yield* this.#compareByRule(swept);
    dropRetired(store.db);
  }

  *#compareByRule(swept: Swept): Generator<void> {
    const { store } = this.#parts;
    if (areManyByRule(store.db, MANY)) {
      const innocent = yield* withoutRival(store.db);
      for (let from = 0; from < innocent.length; from += MANY) {
        markExaminedByRule(store.db, innocent.slice(from, from + MANY));
        yield;
      }
    }
    for (let next = nextByRule(store.db); next; next = nextByRule(store.db)) {
      const { seq, id } = next;
      asOneUnit(store, () => {
        const learning = findLive(store.db, id);
        if (learning) swept.superseded += settleByRule(store, learning, ACTOR);
        markExaminedByRule(store.db, [seq]);
      });
      yield;
    }
  }

  async #compareByMeaning(
    space: Space,
    resolve: UserResolve,
    swept: Swept,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, foreground } = this.#parts;
    const turns = new Turns(signal, { foreground });
    const map =
      countUnexamined(store.db) < MANY
        ? null
        : await inTurns(SignMap.read(store.db, space.table), signal, { foreground });
    for (
      let next = nextByMeaning(store.db, space.table, 0);
      next;
      next = nextByMeaning(store.db, space.table, next.seq)
    ) {
      if (await this.#ask(next, space, map, resolve)) swept.asked += 1;
      markExamined(store.db, next.id);
      await turns.next();
    }
  }

  /** Asks a person about a stored learning; until the answer, both stay live. */
  async #ask(
    { seq, id, note }: Unexamined,
    space: Space,
    map: SignMap | null,
    resolve: UserResolve,
  ): Promise<boolean> {
    const { store, inference } = this.#parts;
    const learning = findLive(store.db, id);
    const vector = vectorsOf(store.db, space.table, [seq]).get(seq);
    if (!learning || !vector) return false;
    // Of an unexamined pair, only the later note asks. A later note that was examined before may not have met this
    // version.
    const near = nearestToStored(store.db, space, vector, seq, note, map).filter(
      (each) => each.seq < seq || !isUnexamined(store.db, each.seq),
    );
    const preview: Preview = { resolve, neighbours: await adjudicated(store.db, inference, note, near) };
    if (!findLive(store.db, id)) return false; // retired while a model read it
    const twin = twinOf(store, note.title, preview);
    if (!twin)
      return resolve(contradictions.switch) && askIfOpposite(store, learning, preview.neighbours, resolve);
    if (wasPersonAsked(store.db, twin.id, id)) return false;
    askMerge(store, { similarity: twin.similarity, existingId: twin.id, incomingId: id });
    return true;
  }
}

const DRAINS = 'drains';
