import type { Consolidation, Distilled, DistillStatus } from '#contract/distill.ts';
import type { Change, Learning, Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Foreground } from '../platform/foreground.ts';
import type { Log } from '../platform/log.ts';
import { inTurns, Turns } from '../platform/turns.ts';
import type { UserResolve } from '../ports/knob.ts';
import { outdateAllConventions } from '../store/distill/conventions.ts';
import type { Store } from '../store/learnings/write.ts';
import { markExamined } from '../store/learnings/unexamined.ts';
import { consolidate, consolidationDue } from './consolidation.ts';
import { refreshStale } from './conventions.ts';
import { addRevised } from './observation-actions.ts';
import { gatherObservations } from './observations.ts';
import { PRINCIPLE } from './principle.ts';
import { type PromoteParts, refreshPromoted } from './promote.ts';
import { gatherRoutines } from './routines.ts';
import { markSkillsFor } from './skill-refresh.ts';
import { HOUR } from '../platform/time.ts';

export interface DistillParts extends PromoteParts {
  store: Store;
  inference: Pick<Inference, 'available'>;
  resolve: UserResolve;
  log: Log;
  /** The folder of the convention documents. */
  conventions: string;
  /** Asks the configured writer to word a principle, if the person opted in. */
  word?: (members: readonly Learning[], draft: Note) => Promise<Partial<Note> | null>;
  /** True while older transcripts are read: a consolidation now would have to be repeated soon. */
  isBusy?: () => boolean;
  /** Recalls and hooks, which go first. */
  foreground?: Foreground;
}

const SETTLE = 30_000; // ms; learnings that belong together often arrive together

/** Distils many learnings in the background into observations, conventions, facts, principles and skills. */
export class Distiller {
  readonly #parts: DistillParts;
  readonly #task: BackgroundTask<Distilled>;
  /** True when a person asked for a consolidation, due or not. */
  #asked = false;

  constructor(parts: DistillParts) {
    this.#parts = parts;
    this.#task = new BackgroundTask({
      settleMs: SETTLE,
      work: (signal) => this.#run(signal),
      next: () => HOUR, // nothing else triggers the weekly pass
      onError: (error) => parts.log.error('distilling learnings', error),
    });
  }

  /** Handles a changed learning: marks skills that cover it at once, the rest runs soon in the background. */
  learningChanged(learning: Learning, kind: Change['kind']): void {
    const { store, resolve } = this.#parts;
    // A principle repeats its sources, and the person who accepted it knew that, so it is not compared with them as a
    // twin.
    if (learning.type === PRINCIPLE) markExamined(store.db, learning.id);
    markSkillsFor(store, learning, kind, resolve);
    this.wake();
  }

  /** Handles an import, which replaced all knowledge. */
  imported(): void {
    outdateAllConventions(this.#parts.store.db);
    this.wake();
  }

  wake(): void {
    this.#task.wake();
  }

  status(): DistillStatus {
    const { why: _, ...due } = consolidationDue(this.#parts.store, this.#parts.resolve);
    return { ...due, running: this.#task.isRunning };
  }

  /** One pass over everything that is due; with `now`, principles are proposed even if they are not due. */
  run({ now = false } = {}): Promise<Distilled> {
    this.#asked ||= now;
    return this.#task.run();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #run(signal: AbortSignal): Promise<Distilled> {
    const { store, inference, log, conventions, isBusy } = this.#parts;
    const { resolve, foreground } = this.#parts;
    const now = this.#asked;
    this.#asked = false;
    const revised = await inTurns(gatherObservations(store, inference, resolve), signal, { foreground });
    addRevised(revised, await inTurns(gatherRoutines(store, resolve), signal, { foreground }));
    const { created, updated, deleted, restored } = revised;
    const written = refreshStale({ store, folder: conventions }, resolve, (project, error) =>
      log.error(`writing the conventions of ${project}`, error),
    );
    const due = now ? 'asked' : isBusy?.() ? null : consolidationDue(store, resolve).why;
    const consolidation = due && (await this.#consolidate(due, resolve, signal));
    const refreshed = refreshPromoted(this.#parts, (path, error) =>
      log.error(`refreshing the skill ${path}`, error),
    );
    return {
      consolidation,
      observations: { created, updated, deleted, restored },
      conventions: written,
      skills: refreshed.length,
    };
  }

  #consolidate(why: Consolidation['why'], resolve: UserResolve, signal: AbortSignal): Promise<Consolidation> {
    const { store, inference, word, foreground } = this.#parts;
    return consolidate({ store, inference, resolve, word, turns: new Turns(signal, { foreground }) }, why);
  }
}
