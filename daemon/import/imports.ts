import type { Asked } from '#contract/methods.ts';
import type { ArchiveProgress } from '#contract/archive.ts';
import type { Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ImportItem, ImportPreview, ImportResult } from '#contract/imports.ts';
import { Turns } from '../platform/turns.ts';
import { askMerge } from '../store/learnings/questions.ts';
import {
  addLearning,
  asOneUnit,
  changeLearning,
  type Reason,
  type Saved,
  type Store,
} from '../store/learnings/write.ts';
import { countRedactions } from '../store/meta.ts';
import type { Importer } from './importer.ts';
import { importerFor } from './importers.ts';
import { isUndone, type Plan, planImport, type Planned, type PlanParts } from './plan.ts';

const ACTOR = 'import';
const SHOWN = 500; // items; nobody reads more
const AT_ONCE = 20; // notes of one transaction, so that requests between them are answered

type ImportRequest = Asked<'imports.preview'>;

interface Options extends Omit<PlanParts, 'onProgress'> {
  onProgress: (progress: ArchiveProgress) => void;
}

/**
 * Imports what other programs know. One import runs at a time, because the second would not see the notes of the first.
 */
export class Imports {
  readonly #options: Options;
  #running: Promise<unknown> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  async detect(path: string): Promise<Pick<ImportPreview, 'kind' | 'name'>> {
    const { kind, name } = await importerFor(path, undefined);
    return { kind, name };
  }

  preview(request: ImportRequest): Promise<ImportPreview> {
    return this.#alone(async () => {
      const importer = await importerFor(request.path, request.kind);
      // An export of Reflect itself is previewed and imported as a whole.
      if (importer.kind === 'reflect-archive') return summary(importer, request.path, []);
      const { planned } = await this.#plan(importer, { ...request, keep: false, batch: '' });
      return summary(importer, request.path, planned);
    });
  }

  run(request: ImportRequest & { keep: boolean }): Promise<ImportResult> {
    return this.#alone(async () => {
      const importer = await importerFor(request.path, request.kind);
      const batch = `import-${new Date(this.#options.store.now()).toISOString().replaceAll(/[:.]/g, '-')}`;
      const plan = await this.#plan(importer, { ...request, batch });
      const added = await this.#add(plan, importer);
      return { ...summary(importer, request.path, plan.planned), ...added, kept: request.keep, batch };
    });
  }

  /** Resolves when the running import has ended; aborting the signal ends it early. */
  async stop(): Promise<void> {
    await this.#running?.catch(() => {}); // the caller receives the error
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#options.signal.throwIfAborted();
    if (this.#running) throw new DaemonError('conflict', 'an import is running; wait until it is done');
    const running = work().finally(() => (this.#running = null));
    this.#running = running;
    return running;
  }

  #plan(importer: Importer, request: ImportRequest & { keep: boolean; batch: string }): Promise<Plan> {
    const onProgress = (done: number) =>
      this.#options.onProgress({ job: 'import', step: 'reading', done, total: 0 });
    return planImport({ ...this.#options, onProgress }, importer, request);
  }

  /** Adds the notes as one event, a few at a time: one undo reverses them all, even those before a crash. */
  async #add(
    { planned, redactions }: Plan,
    { name }: Importer,
  ): Promise<Pick<ImportResult, 'added' | 'questions' | 'redactions' | 'changeId'>> {
    const { store, signal, onProgress } = this.#options;
    const entering = planned.filter(({ enters }) => enters !== null);
    const turns = new Turns(signal, { rests: false });
    const result = { added: [] as string[], questions: 0, changeId: null as number | null };
    for (let done = 0; done < entering.length; done += AT_ONCE) {
      asOneUnit(store, () => {
        for (const each of entering.slice(done, done + AT_ONCE)) addOne(store, each, name, result);
      });
      onProgress({ job: 'import', step: 'writing', done, total: entering.length });
      await turns.next();
    }
    countRedactions(store.db, redactions);
    return { ...result, redactions: Object.values(redactions).reduce((sum, times) => sum + times, 0) };
  }
}

interface Added {
  added: string[];
  questions: number;
  changeId: number | null;
}

function addOne(store: Store, { item, enters }: Planned, name: string, result: Added): void {
  if (!enters) return;
  const why: Reason = {
    actor: ACTOR,
    kind: 'create',
    reason: `imported from ${name}: ${item.source}`,
    unit: result.changeId,
  };
  const now = store.now();
  const { createdAt = now, updatedAt = createdAt } = enters.dates;
  const dates = { createdAt: Math.min(createdAt, now), updatedAt: Math.min(updatedAt, now) };
  const note = item.twin === null ? enters.note : { ...enters.note, status: 'proposed' as const };
  const { learning, changeId } = addOrRestore(store, note, why, dates);
  if (changeId === 0) return; // a session taught the same while the import was read
  result.added.push(learning.id);
  result.changeId ??= changeId;
  if (item.twin === null) return;
  result.questions++;
  askMerge(store, {
    similarity: enters.similarity ?? 1,
    existingId: item.twin,
    incomingId: learning.id,
  });
}

function addOrRestore(
  store: Store,
  note: Note,
  why: Reason,
  dates: Parameters<typeof addLearning>[3],
): Saved {
  const saved = addLearning(store, note, why, dates);
  if (saved.changeId !== 0 || !isUndone(store.db, saved.learning)) return saved;
  return changeLearning(store, saved.learning.id, note, { ...why, kind: 'restore' });
}

const ORDER: ReadonlyArray<ImportItem['fate']> = ['unreadable', 'twin', 'skipped', 'new'];

function summary({ kind, name }: Importer, path: string, planned: readonly Planned[]): ImportPreview {
  const counts = { new: 0, twin: 0, skipped: 0, unreadable: 0 };
  for (const { item } of planned) counts[item.fate]++;
  const items = planned
    .map(({ item }) => item)
    .sort((one, other) => ORDER.indexOf(one.fate) - ORDER.indexOf(other.fate))
    .slice(0, SHOWN);
  return { path, kind, name, counts, items };
}
