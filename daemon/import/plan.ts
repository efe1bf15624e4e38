import type { Learning, Note } from '#contract/entities.ts';
import type { ImportItem, ImportKind } from '#contract/imports.ts';
import { findRestated } from '../knowledge/revise.ts';
import { type Preview, twinOf } from '../knowledge/twins.ts';
import { Turns } from '../platform/turns.ts';
import type { UserResolve } from '../ports/knob.ts';
import { idFromWords } from '../store/learnings/document-path.ts';
import { historyOf } from '../store/learnings/history.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { isSearchable } from '../store/learnings/searchable.ts';
import type { Store } from '../store/learnings/write.ts';
import type { ReadableDb } from '../store/db.ts';
import { shardsIn } from '../store/search/shards.ts';
import { enteringNote } from './enter.ts';
import { type ForeignNote, type Found, type Importer, Unreadable } from './importer.ts';
import { type Place, Places } from './place.ts';

export interface PlanParts {
  store: Store;
  resolve: UserResolve;
  signal: AbortSignal;
  /** Compares a note by meaning with what is known. */
  preview: (note: Note, resolve: UserResolve) => Promise<Preview>;
  onProgress: (done: number) => void;
}

export interface PlanOptions {
  path: string;
  project?: string | undefined;
  keep: boolean;
  batch: string;
}

/** The decision about one found note. */
export interface Planned {
  item: ImportItem;
  /** Null when it is not imported. */
  enters: {
    note: Note;
    dates: Pick<ForeignNote, 'createdAt' | 'updatedAt'>;
    similarity: number | null;
  } | null;
}

export interface Plan {
  planned: Planned[];
  redactions: Record<string, number>;
}

/** Reads everything and decides about each note; nothing is stored. */
export async function planImport(parts: PlanParts, importer: Importer, options: PlanOptions): Promise<Plan> {
  const plan: Plan = { planned: [], redactions: {} };
  const deciding = new Deciding(parts, importer.kind, options, plan.redactions);
  const turns = new Turns(parts.signal, { rests: false });
  for await (const found of importer.read(options.path)) {
    plan.planned.push(await deciding.about(found));
    parts.onProgress(plan.planned.length);
    await turns.next();
  }
  return plan;
}

class Deciding {
  readonly #parts: PlanParts;
  readonly #kind: ImportKind;
  readonly #options: PlanOptions;
  readonly #redactions: Record<string, number>;
  readonly #places: Places;
  /** Sources by the id their words make. */
  readonly #seen = new Map<string, string>();

  constructor(parts: PlanParts, kind: ImportKind, options: PlanOptions, redactions: Record<string, number>) {
    this.#parts = parts;
    this.#kind = kind;
    this.#options = options;
    this.#redactions = redactions;
    this.#places = new Places(parts.store.db, options.project, options.path);
  }

  async about(found: Found): Promise<Planned> {
    if ('problem' in found) return left(found.source, 'unreadable', found.problem);
    if ('skipped' in found) return left(found.source, 'skipped', found.skipped);
    try {
      return await this.#aboutNote(found, this.#places.of(found.project ?? ''));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return left(found.source, 'unreadable', error.message);
    }
  }

  async #aboutNote(found: ForeignNote & { source: string }, { project, remark }: Place): Promise<Planned> {
    const { source, createdAt, updatedAt } = found;
    const { batch, keep } = this.#options;
    const note = enteringNote(found, { kind: this.#kind, source, project, batch, keep }, this.#redactions);
    const item = { source, title: note.title, project, twin: null };
    const known = this.#known(note);
    if (known) return { item: { ...item, ...known, fate: 'twin' }, enters: null };
    this.#seen.set(idFromWords(note), source);
    const { store, resolve, preview } = this.#parts;
    const near = twinOf(store, note.title, await preview(note, resolve));
    const enters = {
      note,
      dates: { ...(createdAt ? { createdAt } : {}), ...(updatedAt ? { updatedAt } : {}) },
      similarity: near?.similarity ?? null,
    };
    if (!near) return { item: { ...item, fate: 'new', reason: remark }, enters };
    const reason = `nearly the same as “${near.title}”: you are asked to merge them`;
    return { item: { ...item, fate: 'twin', reason, twin: near.id }, enters };
  }

  /** A note with the same words, here or earlier in this import. */
  #known(note: Note): Pick<ImportItem, 'reason' | 'twin'> | null {
    const { db } = this.#parts.store;
    const before = this.#seen.get(idFromWords(note));
    if (before !== undefined) return { reason: `the same as ${before}`, twin: null };
    const scope = {
      project: note.project,
      branch: null,
      allBranches: true,
      everywhere: false,
      candidates: true,
    };
    const known =
      findLearning(db, idFromWords(note)) ?? findRestated(db, note, shardsIn(db, scope) ?? [], isSearchable);
    return known && !isUndone(db, known) ? { reason: sameAs(known), twin: known.id } : null;
  }
}

/** True for a note that an undo archived: nobody decided against it, so it may be imported again. */
export const isUndone = (db: ReadableDb, { id, status }: Learning): boolean =>
  status === 'archived' && historyOf(db, id)[0]?.kind === 'undo';

const left = (source: string, fate: ImportItem['fate'], reason: string): Planned => ({
  item: { source, title: '', project: '', fate, reason, twin: null },
  enters: null,
});

function sameAs({ id, title, status }: Learning): string {
  const same = `the same as “${title}”, which is here`;
  if (isSearchable({ status, isLatest: true })) return same;
  return status === 'archived' ? `${same}, archived: \`reflect restore ${id}\`` : `${same}, ${status}`;
}
