import type { Project, Slot } from '#contract/entities.ts';
import type { Call, Output } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { slotsWords } from './words.ts';
import { afterQuiet } from '../ui/delay.ts';
import { asError, Resource } from '../ui/resource.svelte.ts';

export const slotKey = ({ project, name }: Pick<Slot, 'project' | 'name'>): string =>
  `${project}/${name}`.replaceAll(/\s/g, '-');

export type NewSlot = Pick<Slot, 'project' | 'name' | 'description' | 'sizeLimit'>;

/** The pinned texts, those for every project first. */
export class SlotsState {
  readonly #call: Call;
  readonly slots = new Resource<Slot[]>();
  selectedKey = $state<string | null>(null);
  draft = $state<string | null>(null);
  problem = $state<string | null>(null);
  saving = $state(false);
  /** A slot that is being made. */
  making = $state<NewSlot | null>(null);
  readonly preview = new Resource<Output<'recall.inject'>>();
  readonly projects = new Resource<Project[]>();
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
  }

  readonly groups = $derived.by(() => {
    const byProject = Map.groupBy(this.slots.value ?? [], ({ project }) => project);
    return [...byProject]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([project, items]) => ({ title: project || slotsWords.global, items }));
  });

  get selected(): Slot | undefined {
    return this.slots.value?.find((slot) => slotKey(slot) === this.selectedKey);
  }

  async load(): Promise<void> {
    await this.slots.load(() => this.#call('slots.list', {}));
    const [first] = this.groups[0]?.items ?? [];
    if (!this.selected && first) this.selectedKey = slotKey(first);
  }

  /** The project whose session start is shown: that of the selected slot, else the one that knows most. */
  get previewProject(): Project | undefined {
    const known = this.projects.value ?? [];
    return known.find(({ id }) => id === this.selected?.project) ?? known[0];
  }

  /** What a session would be told now. */
  async loadPreview(): Promise<void> {
    if (!this.projects.value) await this.projects.load(() => this.#call('projects.list', {}));
    const project = this.previewProject?.id;
    if (project !== undefined)
      await this.preview.load(() => this.#call('recall.inject', { cwd: '/', project }));
  }

  startMaking(): void {
    this.stopEditing();
    this.making = { project: this.selected?.project ?? '', name: '', description: '', sizeLimit: 2_000 };
  }

  /** Makes the slot and selects it; returns how to take that back. */
  async make(): Promise<(() => Promise<unknown>) | null> {
    const { making } = this;
    if (!making) return null;
    try {
      const made = await this.#call('slots.create', making);
      this.making = null;
      this.problem = null;
      await this.load();
      this.selectedKey = slotKey(made);
      return () => this.#undoNewest(made);
    } catch (error) {
      this.problem = asError(error).message;
      return null;
    }
  }

  /** Locks, unlocks or resizes the selected slot; returns how to take that back. */
  async configure(patch: {
    readOnly?: boolean;
    sizeLimit?: number;
  }): Promise<(() => Promise<unknown>) | null> {
    const { selected } = this;
    if (!selected) return null;
    const { project, name } = selected;
    this.#put(await this.#call('slots.configure', { project, name, ...patch }));
    return () => this.#undoNewest(selected);
  }

  /** Moves the selected slot among those of its project. */
  async reorder(step: number): Promise<void> {
    const { selected } = this;
    if (!selected) return;
    const before = this.slots.value ?? [];
    const mates = before.filter(({ project }) => project === selected.project);
    const index = mates.indexOf(selected);
    const target = index + step;
    if (index < 0 || target < 0 || target >= mates.length) return;
    const ordered = mates.toSpliced(index, 1).toSpliced(target, 0, selected);
    // On screen at once; those of other projects keep their places.
    const queue = [...ordered];
    this.slots.value = before.map((slot) =>
      slot.project === selected.project ? (queue.shift() ?? slot) : slot,
    );
    try {
      await this.#call('slots.order', { project: selected.project, names: ordered.map(({ name }) => name) });
    } catch (error) {
      this.slots.value = before;
      throw error;
    }
  }

  /** Takes away a slot a person made; returns how to take that back. */
  async remove(): Promise<(() => Promise<unknown>) | null> {
    const { selected } = this;
    if (!selected) return null;
    const { project, name } = selected;
    await this.#call('slots.remove', { project, name, forGood: true });
    await this.load();
    return () => this.#undoNewest(selected);
  }

  async #undoNewest({ project, name }: Pick<Slot, 'project' | 'name'>): Promise<void> {
    const [newest] = await this.#call('slots.history', { project, name });
    if (newest) await this.#call('slots.undo', { changeId: newest.id });
    await this.load();
  }

  #put(saved: Slot): void {
    this.slots.value = (this.slots.value ?? []).map((slot) =>
      slotKey(slot) === slotKey(saved) ? saved : slot,
    );
  }

  select(key: string): void {
    this.making = null;
    if (key !== this.selectedKey) this.stopEditing();
    this.selectedKey = key;
  }

  move(step: number): void {
    const slots = this.groups.flatMap(({ items }) => items);
    const index = slots.findIndex((slot) => slotKey(slot) === this.selectedKey) + step;
    const slot = slots[Math.min(slots.length - 1, Math.max(0, index))];
    if (slot) this.select(slotKey(slot));
  }

  edit(): void {
    if (this.selected && !this.selected.readOnly) this.draft = this.selected.content;
  }

  stopEditing(): void {
    this.draft = null;
    this.problem = null;
  }

  /** Saves the draft; returns the slot as it was, so that it can be put back. */
  async save(): Promise<Slot | null> {
    const { selected, draft } = this;
    if (!selected || draft === null) return null;
    if (draft.length > selected.sizeLimit) {
      this.problem = slotsWords.over(draft.length - selected.sizeLimit);
      return null;
    }
    this.saving = true;
    try {
      await this.write(selected, draft);
      this.stopEditing();
      return selected;
    } catch (error) {
      this.problem = asError(error).message;
      return null;
    } finally {
      this.saving = false;
    }
  }

  async write({ project, name }: Slot, content: string): Promise<void> {
    this.#put(await this.#call('slots.replace', { project, name, content }));
  }

  onEvent({ type }: ClientEvent): void {
    if (this.slots.value && (type === 'reconnected' || type === 'slots.changed')) this.#refreshSoon();
  }
}
