import { Note } from '#contract/entities.ts';
import { releaseIfElsewhere } from '../knowledge/branch-release.ts';
import { dropCandidates } from '../knowledge/candidates.ts';
import { recur, recordRecurrence } from '../knowledge/recurrence.ts';
import { reconcile, ingestNote } from '../knowledge/revise.ts';
import type { Preview } from '../knowledge/twins.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import { yieldToOthers } from '../platform/turns.ts';
import type { Resolve } from '../ports/knob.ts';
import { isAllRedacted } from '../privacy/redact.ts';
import { dismissMoment } from '../store/capture/effects.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { getLearning, projectRoot } from '../store/learnings/learnings.ts';
import { linkChunk } from '../store/learnings/lineage.ts';
import {
  countLearningsOf,
  countQueue,
  deferMoment,
  failMoment,
  hurryMoments,
  leaseMoment,
  type LeasedMoment,
  nextDrainAt,
  settleMoment,
} from '../store/capture/moments.ts';
import { placeOnBranch } from './branch-bound.ts';
import { knownFrom } from './chunk-dedup.ts';
import { commitReferences, verifyCommits } from './commit-references.ts';
import { carryOutEffects } from './effects.ts';
import { MOMENT_PAYLOAD } from '../store/columns.ts';
import { localWeights } from './local-judge.ts';
import { chooseMode } from './modes/choose.ts';
import type { Mode } from './modes/mode.ts';
import { writeNote } from './validation.ts';
import { valueNote } from './value-note.ts';
import { type DrainedMoment, isWorthless, type PlainWriter, Postponed, type Writer } from './writer.ts';
import { withCost } from './discovery-cost.ts';
import { saidByPerson } from './writers/evidence.ts';

const ATTEMPTS = 3;
const RETRY = 30_000; // ms, doubled with every attempt

export interface DrainParts {
  store: Store;
  writer: Writer;
  /** The writer without a model. */
  plain: PlainWriter;
  log: Log;
  /** Where the person keeps modes of their own. */
  modes: string;
  /** The settings as they stand for a project. */
  resolver: (projectRoot: string) => Resolve;
  /** Compares a note with the known ones before it is ingested; without it, that happens later. */
  preview?: (note: Note, resolve: Resolve) => Promise<Preview>;
  /** How an embedder values a title; without it, the judge goes by the words alone. */
  sense?: (title: string) => Promise<number>;
  /** When Reflect was first started; moments from before are back-fill. */
  since?: number;
  /** Called when the queue was emptied and something was in it. */
  onDrained?: () => void;
  /** Milliseconds to leave to others between two moments. */
  pause?: () => number;
}

/** Empties the queue of moments, one at a time, whenever there is something in it. */
export class Drain {
  readonly #parts: DrainParts;
  readonly #store: Store;
  /** Roots of projects whose mode could not be used when a note was written. */
  readonly #withoutMode = new Set<string>();
  readonly #task: BackgroundTask;
  #noLlm = false;
  #isUrgent = false;

  constructor(parts: DrainParts) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#task = new BackgroundTask({
      work: (signal) => this.#empty(signal),
      next: () => this.#untilDue(),
      onError: (error) => parts.log.error('draining', error),
    });
  }

  /** Notices for the person about how notes are written. */
  get notices(): string[] {
    const { modes, resolver } = this.#parts;
    const notices = [...this.#withoutMode].map((root) => chooseMode(modes, resolver(root)).notice);
    return [...new Set(notices)].filter(Boolean);
  }

  /** Something may be in the queue: it is drained when it is due. */
  wake(): void {
    const delay = this.#task.signal.aborted ? null : this.#untilDue();
    if (delay !== null) this.#task.wake(delay);
  }

  /** Drains what is due now. */
  run(): Promise<void> {
    return this.#task.run();
  }

  /** Drains everything that waits, due or not; on request without a model. */
  async runAll(noLlm: boolean): Promise<{ drained: number; left: number }> {
    const { db, now } = this.#store;
    const before = countQueue(db);
    hurryMoments(db, now());
    this.#noLlm = noLlm;
    this.#isUrgent = true;
    try {
      await this.run();
    } finally {
      this.#noLlm = false;
      this.#isUrgent = false;
    }
    const left = countQueue(db);
    return { drained: Math.max(0, before - left), left };
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  get #writer(): Writer {
    return this.#noLlm ? this.#parts.plain : this.#parts.writer;
  }

  #untilDue(): number | null {
    const due = nextDrainAt(this.#store.db);
    return due === null ? null : Math.max(0, due - this.#store.now());
  }

  async #empty(signal: AbortSignal): Promise<void> {
    for (let drained = 0; ; drained++) {
      // A full queue delays no request: requests go first, and reading old transcripts goes before draining them.
      await yieldToOthers(this.#parts.pause?.() ?? 0);
      if (signal.aborted) return;
      const leased = leaseMoment(this.#store.db, this.#store.now());
      if (!leased) {
        carryOutEffects(this.#store);
        if (drained > 0) this.#parts.onDrained?.();
        return;
      }
      try {
        if (leased.attempts > ATTEMPTS)
          throw new Error(`Reflect ended ${ATTEMPTS} times while this was written down`);
        await this.#drain(leased);
      } catch (error) {
        if (error instanceof Postponed) {
          deferMoment(this.#store.db, leased.id, error.message, error.until);
          continue;
        }
        const retryAt = leased.attempts < ATTEMPTS ? this.#store.now() + RETRY * 2 ** leased.attempts : null;
        failMoment(
          this.#store.db,
          leased.id,
          error instanceof Error ? error.message : String(error),
          retryAt,
        );
        this.#parts.log.error(`draining moment ${leased.id}`, error);
      }
    }
  }

  async #drain({ payload, ...row }: LeasedMoment): Promise<void> {
    const { db } = this.#store;
    const moment: DrainedMoment = { ...row, ...MOMENT_PAYLOAD.read(payload) };
    if (isAllRedacted(moment.quote)) {
      dismissMoment(db, moment.id, 'nothing is left of it that may be kept');
      return;
    }
    const root = projectRoot(db, moment.project);
    const resolve = this.#parts.resolver(root);
    const known = knownFrom(db, moment, resolve);
    if (known) {
      this.#sayAgain(moment, known);
      return;
    }

    const { mode, notice } = chooseMode(this.#parts.modes, resolve);
    if (notice) this.#withoutMode.add(root);
    const writer = this.#writer;
    const written = await writeNote(writer, { ...moment, isUrgent: this.#isUrgent }, mode, resolve);
    const worthless = written && isWorthless(written) ? written.worthless : null;
    // A person can look at what a model would not keep, so it is written down all the same, and dropped.
    const note =
      written && isWorthless(written) ? await inPlainWords(this.#parts.plain, moment, mode) : written;
    if (!note) {
      dismissMoment(db, moment.id, worthless ?? '');
      return;
    }
    const { unverified, allUnverified } = resolve(commitReferences.switch)
      ? await verifyCommits(note, root)
      : NOTHING_CHECKED;
    // A person's words are kept even if the commit is not found: it may have been squashed.
    if (allUnverified && !saidByPerson(moment)) {
      dismissMoment(db, moment.id, `it names commits that do not exist: ${unverified.join(', ')}`);
      return;
    }

    const valued = await this.#value(note, moment, mode, resolve);
    const placed = {
      ...valued,
      ...(worthless === null ? {} : { status: 'candidate' as const }),
      unverifiedRefs: unverified,
      ...origin(moment),
      ...placeOnBranch(valued, moment.branch),
    };
    const preview = (await this.#parts.preview?.(placed, resolve)) ?? { neighbours: [], resolve };
    this.#keep(moment, placed, preview, { actor: writer.name, worthless });
  }

  async #value(note: Note, moment: DrainedMoment, mode: Mode, resolve: Resolve): Promise<Note> {
    return valueNote(withCost(note, moment), moment, resolve, {
      isBackFill: moment.at < (this.#parts.since ?? 0),
      local: localWeights(this.#store.db),
      sense: await this.#parts.sense?.(note.title),
      ofSession: countLearningsOf(this.#store.db, moment.session),
      mode,
    });
  }

  /** All or nothing: what is written down must not be written again after a crash. */
  #keep(
    moment: DrainedMoment,
    note: Note,
    preview: Preview,
    { actor, worthless }: { actor: string; worthless: string | null },
  ): void {
    const { db } = this.#store;
    const evidence = {
      actor,
      reason: `noticed by ${moment.signal}`,
      source: moment.key,
      saidAt: Math.min(moment.at, this.#store.now()),
      branch: moment.branch,
    };
    asOneUnit(this.#store, () => {
      const { learning, outcome } =
        (worthless === null ? recur(this.#store, note, moment, evidence, preview) : null) ??
        ingestNote(this.#store, note, evidence, preview);
      settleMoment(db, moment.id, STATES[outcome], learning.id);
      linkChunk(db, moment.id, learning.id);
      if (outcome === 'created' && isLive(learning)) reconcile(this.#store, learning, preview, actor);
      if (worthless !== null && outcome === 'created')
        dropCandidates(this.#store, [learning.id], { actor, reason: worthless });
    });
  }

  #sayAgain(moment: DrainedMoment, known: string): void {
    const { db } = this.#store;
    const { id, key, signal, branch } = moment;
    asOneUnit(this.#store, () => {
      if (linkChunk(db, id, known))
        recordRecurrence(this.#store, getLearning(db, known), moment, {
          actor: this.#writer.name,
          reason: `said again: ${signal}`,
          source: key,
        });
      releaseIfElsewhere(this.#store, getLearning(db, known), branch);
      settleMoment(db, id, 'duplicate', known);
    });
  }
}

/** The state of a moment by the fate of its note; one that only proves a note can be undone without it. */
const STATES = { created: 'kept', held: 'held', updated: 'duplicate', known: 'duplicate' } as const;
/** The note of a moment without a model. */
async function inPlainWords(plain: PlainWriter, moment: DrainedMoment, mode: Mode): Promise<Note | null> {
  const written = await plain.write(moment, mode, []);
  return written && Note.parse(written);
}

const NOTHING_CHECKED = { unverified: [], allUnverified: false };

/** Where a note belongs and comes from is decided by its record, never by what a writer says. */
function origin({ project, agent, transcript, session, chunkHash, span, quote }: DrainedMoment) {
  return {
    project,
    provenance: {
      commit: '',
      agent,
      transcript,
      session,
      chunk: chunkHash,
      spanStart: span.start,
      spanEnd: span.end,
      quote: quote.slice(0, 1_000),
    },
  };
}
