import type { Consolidation, Distilled, DistillStatus } from '#contract/distill.ts';
import type { Change, Learning, Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import type { Log } from '../platform/log.ts';
import type { Resolve } from '../ports/knob.ts';
import { outdateAllConventions } from '../store/distill/conventions.ts';
import type { Store } from '../store/learnings/write.ts';
import { markExamined } from '../store/learnings/unexamined.ts';
import { consolidate, consolidationDue } from './consolidation.ts';
import { refreshStale } from './conventions.ts';
import { gatherObservations } from './observations.ts';
import { PRINCIPLE } from './principle.ts';
import { type PromoteParts, refreshPromoted } from './promote.ts';
import { markSkillsFor } from './skill-refresh.ts';

export interface DistillParts extends PromoteParts {
  store: Store;
  inference: Pick<Inference, 'available'>;
  resolve: () => Resolve;
  log: Log;
  /** The folder of the documents of conventions. */
  conventions: string;
  /** Has a principle worded by the configured writer, if the person opted for that. */
  word?: (members: readonly Learning[], draft: Note) => Promise<Partial<Note> | null>;
  /** Older transcripts are being read: what is drawn together now would be drawn together again in a minute. */
  isBusy?: () => boolean;
}

const SETTLE = 30_000; // ms; what belongs together often comes together
const HOUR = 3_600_000; // ms
const LONGEST_STEP = 4; // ms
const LONGEST_REST = 50; // ms; what is slow because a model was asked kept nobody waiting

/** Draws from many learnings what they say together, in the background: observations, conventions, facts, principles, skills. */
export class Distiller {
  readonly #parts: DistillParts;
  #timer: NodeJS.Timeout | undefined;
  #hourly: NodeJS.Timeout | undefined;
  #running: Promise<Distilled> | null = null;
  #stopped = false;
  #lastBreath = 0;

  constructor(parts: DistillParts) {
    this.#parts = parts;
  }

  /** Looks now and then even if nothing changes: the weekly pass has no other occasion. */
  start(): void {
    this.wake();
    this.#hourly = setInterval(() => this.wake(), HOUR).unref();
  }

  /** A learning changed: the skills it is covered by are marked at once, the rest is done before long. */
  learningChanged(learning: Learning, kind: Change['kind']): void {
    const { store, resolve } = this.#parts;
    // It says what its sources say, and whoever let it stand knew that: it is not held against them as a twin.
    if (learning.type === PRINCIPLE) markExamined(store.db, learning.id);
    markSkillsFor(store, learning, kind, resolve());
    this.wake();
  }

  /** All that was known is other than it was. */
  imported(): void {
    outdateAllConventions(this.#parts.store.db);
    this.wake();
  }

  wake(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.run().catch((error: unknown) => this.#parts.log.error('drawing learnings together', error));
    }, SETTLE).unref();
  }

  status(): DistillStatus {
    const { why: _, ...due } = consolidationDue(this.#parts.store, this.#parts.resolve());
    return { ...due, running: this.#running !== null };
  }

  /** One pass over all that is due; whoever calls while it runs gets that one. */
  run({ now = false } = {}): Promise<Distilled> {
    this.#running ??= this.#run(now).finally(() => (this.#running = null));
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#hourly);
    await this.#running?.catch(() => {}); // whoever started it has been told
  }

  async #run(now: boolean): Promise<Distilled> {
    const { store, log, conventions, isBusy } = this.#parts;
    const resolve = this.#parts.resolve();
    this.#lastBreath = performance.now();
    const { created, updated, deleted, restored } = await this.#observe(resolve);
    const written = refreshStale({ store, folder: conventions }, resolve, (project, error) =>
      log.error(`writing the conventions of ${project}`, error),
    );
    const due = now ? 'asked' : isBusy?.() ? null : consolidationDue(store, resolve).why;
    const consolidation = due && (await this.#consolidate(due, resolve));
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

  async #observe(resolve: Resolve) {
    const steps = gatherObservations(this.#parts.store, resolve);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      if (!(await this.#breathe())) return NOTHING;
    }
  }

  #consolidate(why: Consolidation['why'], resolve: Resolve): Promise<Consolidation | null> {
    const { store, inference, word } = this.#parts;
    return consolidate({ store, inference, resolve, word, breathe: () => this.#breathe() }, why);
  }

  /** As long again as it worked, for others; false when it is time to stop. */
  async #breathe(): Promise<boolean> {
    const took = performance.now() - this.#lastBreath;
    if (took >= LONGEST_STEP) {
      await new Promise((done) => setTimeout(done, Math.min(took, LONGEST_REST)));
      this.#lastBreath = performance.now();
    }
    return !this.#stopped && this.#parts.store.db.open;
  }
}

const NOTHING = { created: 0, updated: 0, deleted: 0, restored: 0 };
