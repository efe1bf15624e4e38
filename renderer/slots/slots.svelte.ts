import type { Slot } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { strings } from '../strings.ts';
import { afterQuiet } from '../ui/delay.ts';
import { asError, Resource } from '../ui/resource.svelte.ts';

export const slotKey = ({ project, name }: Pick<Slot, 'project' | 'name'>): string => `${project}/${name}`.replaceAll(/\s/g, '-');

/** The pinned texts, those for every project first. */
export class SlotsState {
  readonly #call: Call;
  readonly slots = new Resource<Slot[]>();
  selectedKey = $state<string | null>(null);
  draft = $state<string | null>(null);
  problem = $state<string | null>(null);
  saving = $state(false);
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
  }

  readonly groups = $derived.by(() => {
    const byProject = Map.groupBy(this.slots.value ?? [], ({ project }) => project);
    return [...byProject]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([project, items]) => ({ title: project || strings.slots.global, items }));
  });

  get selected(): Slot | undefined {
    return this.slots.value?.find((slot) => slotKey(slot) === this.selectedKey);
  }

  async load(): Promise<void> {
    await this.slots.load(() => this.#call('slots.list', {}));
    const [first] = this.groups[0]?.items ?? [];
    if (!this.selected && first) this.selectedKey = slotKey(first);
  }

  select(key: string): void {
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
      this.problem = strings.slots.over(draft.length - selected.sizeLimit);
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
    const saved = await this.#call('slots.replace', { project, name, content });
    this.slots.value = (this.slots.value ?? []).map((slot) => (slotKey(slot) === slotKey(saved) ? saved : slot));
  }

  onEvent({ type }: ClientEvent): void {
    if (this.slots.value && (type === 'reconnected' || type === 'slots.changed')) this.#refreshSoon();
  }
}
