import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Drafts } from '../drafts.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { asError } from '../ui/error.ts';
import { type Draft, type LearningDraft, draftOf, draftProblem, learningDrafts, patchOf } from './draft.ts';

type DetailTab = 'evidence' | 'history' | 'uses' | 'related';

const MOST_USES = 500;

/** One learning as it is read and edited. */
export class DetailState {
  readonly #scope: Scope;
  readonly #drafts: Drafts;
  readonly learning: Resource<'learnings.get'>;
  readonly history: Resource<'learnings.history'>;
  readonly excerpt: Resource<'learnings.excerpt'>;
  readonly uses: Resource<'uses.list'>;
  readonly reviews: Resource<'memories.history'>;
  id = $state<string | null>(null);
  tab = $state<DetailTab>('evidence');
  saving = $state(false);
  problem = $state.raw<string | null>(null);
  /** The version somebody else saved while this one was being edited. */
  newer = $state.raw<Learning | null>(null);

  constructor(queries: Queries, drafts: Drafts) {
    this.#scope = queries.scope('learnings');
    this.#drafts = drafts;
    this.learning = this.#scope.resource('learnings.get');
    this.history = this.#scope.resource('learnings.history');
    this.excerpt = this.#scope.resource('learnings.excerpt');
    this.uses = this.#scope.resource('uses.list');
    this.reviews = this.#scope.resource('memories.history');
  }

  /** The learning that is open, once it has loaded; until then `learning` still holds the one before it. */
  get current(): Learning | undefined {
    return this.learning.value?.id === this.id ? this.learning.value : undefined;
  }

  /** The learning that is open, waited for while it loads; undefined if another one was opened meanwhile. */
  async loaded(): Promise<Learning | undefined> {
    const { id } = this;
    if (id !== null && !this.current) await this.learning.ask({ id });
    return this.id === id ? this.current : undefined;
  }

  get #held(): LearningDraft | undefined {
    return this.id === null ? undefined : this.#drafts.of(learningDrafts, this.id);
  }

  /** The form, if it is open; it is again after one comes back to a learning with unsaved changes. */
  get draft(): Draft | null {
    return this.#held?.draft ?? null;
  }

  /** The version the draft was made from. */
  get base(): Learning | null {
    return this.#held?.base ?? null;
  }

  get isUnsaved(): boolean {
    return this.id !== null && this.#drafts.isUnsaved(learningDrafts, this.id);
  }

  async open(id: string | null): Promise<void> {
    if (id === this.id) return;
    this.leave();
    this.id = id;
    this.problem = null;
    this.newer = null;
    this.history.clear();
    this.excerpt.clear();
    this.uses.clear();
    this.reviews.clear();
    if (id === null) this.learning.clear();
    else await this.refresh();
  }

  /** Unsaved changes are kept for when one comes back. */
  leave(): void {
    if (this.id !== null) this.#drafts.leave(learningDrafts, this.id);
  }

  async refresh(): Promise<void> {
    const { id } = this;
    if (id !== null) await Promise.all([this.learning.ask({ id }), this.#loadTab()]);
  }

  async showTab(tab: DetailTab): Promise<void> {
    this.tab = tab;
    await this.#loadTab();
  }

  edit(): void {
    const learning = this.current;
    if (!learning || this.#held) return;
    this.#drafts.set(learningDrafts, learning.id, { draft: draftOf(learning), base: learning });
  }

  /** Closes the form. Returns how to bring back what was typed, if anything was. */
  discard(): (() => void) | null {
    const { id } = this;
    this.problem = null;
    this.newer = null;
    const dropped = id === null ? null : this.#drafts.discard(learningDrafts, id);
    return id !== null && dropped ? () => this.#drafts.set(learningDrafts, id, dropped) : null;
  }

  /** Saves what differs; returns the change to undo, or null when there is none. */
  async save(): Promise<number | null> {
    const { base, draft } = this;
    if (!base || !draft) return null;
    this.problem = draftProblem(draft);
    if (this.problem !== null) return null;
    const patch = patchOf(base, draft);
    // A broken file is written again even if no field changed: that is what saving it is for.
    if (Object.keys(patch).length === 0 && base.documentProblem === null) {
      this.discard();
      return null;
    }
    this.saving = true;
    try {
      const { learning, changeId } = await this.#scope.call('learnings.update', {
        id: base.id,
        patch,
        seenUpdatedAt: base.updatedAt,
      });
      this.#drafts.discard(learningDrafts, base.id);
      if (this.id === learning.id) {
        this.learning.put(() => learning);
        void this.#loadTab();
      }
      return changeId;
    } catch (error) {
      if (this.id !== base.id) throw error;
      if (error instanceof DaemonError && error.code === 'conflict') await this.#loadNewer(base.id);
      else this.problem = asError(error).message;
      return null;
    } finally {
      this.saving = false;
    }
  }

  /** After a conflict: what I typed wins over the newer version. */
  async keepMine(): Promise<number | null> {
    const { newer, draft } = this;
    if (!newer || !draft) return null;
    this.#drafts.set(learningDrafts, newer.id, { draft: $state.snapshot(draft), base: newer });
    this.newer = null;
    return this.save();
  }

  async #loadNewer(id: string): Promise<void> {
    try {
      const newer = await this.#scope.call('learnings.get', { id });
      this.newer = newer;
      this.learning.put(() => newer);
    } catch (error) {
      this.problem = asError(error).message;
    }
  }

  async #loadTab(): Promise<void> {
    const { id } = this;
    if (id === null) return;
    if (this.tab === 'history') await this.history.ask({ id });
    if (this.tab === 'uses')
      await Promise.all([this.uses.ask({ learning: id, limit: MOST_USES }), this.reviews.ask({ id })]);
    if (this.tab === 'evidence') await this.excerpt.ask({ id });
  }
}
