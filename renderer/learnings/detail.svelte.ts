import type { Change, Learning, SessionUse } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call, Output } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { asError, Resource } from '../ui/resource.svelte.ts';
import { type Draft, draftOf, draftProblem, patchOf } from './draft.ts';

export type DetailTab = 'evidence' | 'history' | 'uses' | 'related';

const MOST_USES = 500;

/** One learning as it is read and edited. */
export class DetailState {
  readonly #call: Call;
  readonly learning = new Resource<Learning>();
  readonly history = new Resource<Change[]>();
  readonly excerpt = new Resource<Output<'learnings.excerpt'>>();
  readonly uses = new Resource<SessionUse[]>();
  id = $state<string | null>(null);
  tab = $state<DetailTab>('evidence');
  draft = $state<Draft | null>(null);
  saving = $state(false);
  problem = $state.raw<string | null>(null);
  /** The version somebody else saved while this one was being edited. */
  newer = $state.raw<Learning | null>(null);
  /** What the draft was made from. */
  base = $state.raw<Learning | null>(null);

  constructor(call: Call) {
    this.#call = call;
  }

  /** The learning that is open, once it is here; until then `learning` still holds the one shown before it. */
  get current(): Learning | undefined {
    return this.learning.value?.id === this.id ? this.learning.value : undefined;
  }

  get isDirty(): boolean {
    return (
      this.draft !== null && this.base !== null && Object.keys(patchOf(this.base, this.draft)).length > 0
    );
  }

  async open(id: string | null): Promise<void> {
    if (id === this.id) return;
    this.id = id;
    this.stopEditing();
    this.history.clear();
    this.excerpt.clear();
    this.uses.clear();
    if (id === null) this.learning.clear();
    else await Promise.all([this.refresh(), this.#loadTab()]);
  }

  async refresh(): Promise<void> {
    const { id } = this;
    if (id !== null) await this.learning.load(() => this.#call('learnings.get', { id }));
  }

  async showTab(tab: DetailTab): Promise<void> {
    this.tab = tab;
    await this.#loadTab();
  }

  edit(draft?: Draft): void {
    const learning = this.current;
    if (!learning) return;
    this.base = learning;
    this.draft = draft ?? draftOf(learning);
    this.problem = null;
    this.newer = null;
  }

  /** Leaves the form; what was typed comes back so that it can be offered again. */
  stopEditing(): Draft | null {
    const dropped = this.isDirty ? this.draft : null;
    this.draft = null;
    this.base = null;
    this.problem = null;
    this.newer = null;
    return dropped;
  }

  /** Saves what differs; returns the change to undo, or null when there is none. */
  async save(): Promise<number | null> {
    const { base, draft } = this;
    if (!base || !draft) return null;
    this.problem = draftProblem(draft);
    if (this.problem !== null) return null;
    const patch = patchOf(base, draft);
    // A broken file is written anew even if no field changed: that is what saving it is for.
    if (Object.keys(patch).length === 0 && base.documentProblem === null) {
      this.stopEditing();
      return null;
    }
    this.saving = true;
    try {
      const { learning, changeId } = await this.#call('learnings.update', {
        id: base.id,
        patch,
        seenUpdatedAt: base.updatedAt,
      });
      if (this.id === learning.id) this.learning.value = learning;
      this.stopEditing();
      void this.#loadTab();
      return changeId;
    } catch (error) {
      if (error instanceof DaemonError && error.code === 'conflict') await this.#meetNewer(base.id);
      else this.problem = asError(error).message;
      return null;
    } finally {
      this.saving = false;
    }
  }

  /** After a conflict: what I typed wins over the newer version. */
  async keepMine(): Promise<number | null> {
    if (!this.newer) return null;
    this.base = this.newer;
    this.newer = null;
    return this.save();
  }

  /** After a conflict: the newer version wins and the form closes. */
  takeTheirs(): void {
    this.stopEditing();
  }

  onEvent(event: ClientEvent): void {
    const concerns =
      event.type === 'reconnected' ||
      event.type === 'outcomes.changed' ||
      (event.type === 'learning.changed' && event.id === this.id);
    if (!concerns || this.saving) return;
    void this.refresh();
    void this.#loadTab();
  }

  async #meetNewer(id: string): Promise<void> {
    try {
      const newer = await this.#call('learnings.get', { id });
      this.newer = newer;
      this.learning.value = newer;
    } catch (error) {
      this.problem = asError(error).message;
    }
  }

  async #loadTab(): Promise<void> {
    const { id } = this;
    if (id === null) return;
    if (this.tab === 'history') await this.history.load(() => this.#call('learnings.history', { id }));
    if (this.tab === 'uses')
      await this.uses.load(() => this.#call('uses.list', { learning: id, limit: MOST_USES }));
    if (this.tab === 'evidence') await this.excerpt.load(() => this.#call('learnings.excerpt', { id }));
  }
}
