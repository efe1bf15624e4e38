import * as z from 'zod';
import type { Project } from '#contract/entities.ts';
import type { Slot } from '#contract/slots.ts';
import { type DraftKind, type Drafts, fieldDrafts } from '../drafts.svelte.ts';
import { doReversibly, type Reversal } from '../frame/undo.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { asError } from '../ui/error.ts';
import { reverseNewest } from './reversal.ts';
import { slotNameOf, slotsWords } from './words.ts';

export const slotKey = ({ project, name }: Pick<Slot, 'project' | 'name'>): string =>
  `${project}/${name}`.replaceAll(/\s/g, '-');

export type NewSlot = Pick<Slot, 'project' | 'name' | 'description' | 'sizeLimit'>;

const USUAL_LIMIT = 2_000;

type SlotDraft = { content: string; base: string };
export const slotDrafts: DraftKind<SlotDraft> = {
  name: 'slot',
  schema: z.object({ content: z.string(), base: z.string() }),
  isUnsaved: ({ content, base }) => content !== base,
};
/** The number of characters a slot may hold, while it is being typed. */
export const limitDrafts = fieldDrafts('slot-limit');
export const newSlotDrafts: DraftKind<NewSlot> = {
  name: 'new-slot',
  schema: z.object({
    project: z.string(),
    name: z.string(),
    description: z.string(),
    // An emptied field holds no number.
    sizeLimit: z.number().catch(USUAL_LIMIT),
  }),
  isUnsaved: ({ name, description, sizeLimit }) =>
    name !== '' || description !== '' || sizeLimit !== USUAL_LIMIT,
};
/** There is one form for a new slot. */
const NEW = 'new';

/** The pinned texts, those for every project first. */
export class SlotsState {
  readonly #scope: Scope;
  readonly #drafts: Drafts;
  readonly slots: Resource<'slots.list'>;
  readonly preview: Resource<'recall.inject'>;
  readonly projects: Resource<'projects.list'>;
  selectedKey = $state<string | null>(null);
  problem = $state<string | null>(null);
  saving = $state(false);
  #isCreating = $state(false);
  /** Every project has the usual slots, most of them empty; they are listed on request. */
  showsEmpty = $state(false);

  constructor(queries: Queries, drafts: Drafts) {
    this.#scope = queries.scope('slots');
    this.#drafts = drafts;
    this.slots = this.#scope.resource('slots.list', () => this.#selectFirst());
    this.preview = this.#scope.resource('recall.inject');
    this.projects = this.#scope.resource('projects.list');
  }

  readonly groups = $derived.by(() => {
    const shown = (this.slots.value ?? []).filter(
      (slot) => this.showsEmpty || slot.content.trim() !== '' || this.#isInUse(slot),
    );
    const byProject = Map.groupBy(shown, ({ project }) => project);
    return [...byProject]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([project, items]) => ({ title: project || slotsWords.global, items }));
  });

  /** A slot that is selected or being written stays in the list, however empty. */
  #isInUse(slot: Slot): boolean {
    return slotKey(slot) === this.selectedKey || this.isUnsaved(slot);
  }

  get emptyCount(): number {
    return (this.slots.value ?? []).filter(({ content }) => content.trim() === '').length;
  }

  get selected(): Slot | undefined {
    return this.slots.value?.find((slot) => slotKey(slot) === this.selectedKey);
  }

  async load(): Promise<void> {
    await this.slots.ask({});
  }

  /** The project whose session start is shown: that of the selected slot, or else the one with the most learnings. */
  get previewProject(): Project | undefined {
    const known = this.projects.value ?? [];
    return known.find(({ id }) => id === this.selected?.project) ?? known[0];
  }

  /** Loads what would be injected into a new session now. */
  async loadPreview(): Promise<void> {
    if (!this.projects.value) await this.projects.ask({});
    const project = this.previewProject?.id;
    if (project !== undefined) await this.preview.ask({ cwd: '/', project });
  }

  /** The form for a new slot, while it is open. */
  get creating(): NewSlot | null {
    return this.#isCreating ? (this.#drafts.of(newSlotDrafts, NEW) ?? null) : null;
  }

  get hasUnsavedNewSlot(): boolean {
    return this.#drafts.isUnsaved(newSlotDrafts, NEW);
  }

  startCreating(): void {
    this.leave();
    if (!this.hasUnsavedNewSlot) {
      const project = this.selected?.project ?? '';
      this.#drafts.set(newSlotDrafts, NEW, { project, name: '', description: '', sizeLimit: USUAL_LIMIT });
    }
    this.#isCreating = true;
  }

  /** Creates the slot and selects it; returns how to undo that. */
  async create(): Promise<Reversal | null> {
    const { creating } = this;
    if (!creating) return null;
    try {
      const slot = $state.snapshot(creating);
      const created = await this.#scope.call('slots.create', { ...slot, name: slotNameOf(slot.name) });
      this.discardNewSlot();
      await this.slots.refetch();
      this.selectedKey = slotKey(created);
      return await this.reversalOf(created);
    } catch (error) {
      this.problem = asError(error).message;
      return null;
    }
  }

  /** Closes the form; returns how to bring back what was typed, if anything was. */
  discardNewSlot(): (() => void) | null {
    this.problem = null;
    this.#isCreating = false;
    const dropped = this.#drafts.discard(newSlotDrafts, NEW);
    return dropped && (() => this.#drafts.set(newSlotDrafts, NEW, dropped));
  }

  /** Locks, unlocks or resizes the selected slot; returns how to undo that. */
  async configure(patch: { readOnly?: boolean; sizeLimit?: number }): Promise<Reversal | null> {
    const { selected } = this;
    if (!selected) return null;
    const { project, name } = selected;
    this.#put(await this.#scope.call('slots.configure', { project, name, ...patch }));
    if (patch.sizeLimit !== undefined) this.#drafts.discard(limitDrafts, slotKey(selected));
    return this.reversalOf(selected);
  }

  /** Moves the selected slot among the listed ones of its project; returns how to undo that. */
  async reorder(step: number): Promise<Reversal | null> {
    const isSelected = (slot: Slot) => slotKey(slot) === this.selectedKey;
    const items = this.groups.find((group) => group.items.some(isSelected))?.items ?? [];
    const target = items[items.findIndex(isSelected) + step];
    return target && this.selectedKey !== null ? this.place(this.selectedKey, slotKey(target)) : null;
  }

  /** Puts a slot in the place of another one of its project; returns how to undo that. */
  async place(key: string, target: string): Promise<Reversal | null> {
    const find = (wanted: string) => this.slots.value?.find((slot) => slotKey(slot) === wanted);
    const [slot, other] = [find(key), find(target)];
    if (!slot || !other || slot === other || slot.project !== other.project) return null;
    const { project, name } = slot;
    const names = (this.slots.value ?? [])
      .filter((each) => each.project === project)
      .map((each) => each.name);
    const others = names.filter((each) => each !== name);
    const ordered = others.toSpliced(names.indexOf(other.name), 0, name);
    return doReversibly(
      () => this.#order(project, ordered),
      () => this.#order(project, names),
    );
  }

  async #order(project: string, ordered: readonly string[]): Promise<void> {
    await this.slots.change(
      (slots) => inOrder(slots, project, ordered),
      () => this.#scope.call('slots.order', { project, names: [...ordered] }),
    );
  }

  /** Deletes a slot a person created; returns how to undo that. */
  async remove(): Promise<Reversal | null> {
    const { selected } = this;
    if (!selected) return null;
    const { project, name } = selected;
    await this.#scope.call('slots.remove', { project, name, forGood: true });
    await this.slots.refetch();
    return this.reversalOf(selected);
  }

  select(key: string): void {
    this.leave();
    this.#isCreating = false;
    this.selectedKey = key;
  }

  move(step: number): void {
    const slots = this.groups.flatMap(({ items }) => items);
    const index = slots.findIndex((slot) => slotKey(slot) === this.selectedKey) + step;
    const slot = slots[Math.min(slots.length - 1, Math.max(0, index))];
    if (slot) this.select(slotKey(slot));
  }

  /** The text in the editor; null while it is closed. */
  get draft(): string | null {
    return this.selectedKey === null
      ? null
      : (this.#drafts.of(slotDrafts, this.selectedKey)?.content ?? null);
  }

  set draft(content: string | null) {
    const { selectedKey, selected } = this;
    if (selectedKey === null || !selected) return;
    if (content === null) {
      this.#drafts.discard(slotDrafts, selectedKey);
      return;
    }
    const base = this.#drafts.of(slotDrafts, selectedKey)?.base ?? selected.content;
    this.#drafts.set(slotDrafts, selectedKey, { content, base });
  }

  isUnsaved(slot: Slot): boolean {
    const key = slotKey(slot);
    return this.#drafts.isUnsaved(slotDrafts, key) || this.#drafts.isUnsaved(limitDrafts, key);
  }

  edit(): void {
    if (this.selected && !this.selected.readOnly) this.draft ??= this.selected.content;
  }

  /** Unsaved text is kept for when one comes back. */
  leave(): void {
    this.problem = null;
    if (this.selectedKey !== null) this.#drafts.leave(slotDrafts, this.selectedKey);
    this.#drafts.leave(newSlotDrafts, NEW);
  }

  /** Closes the editor; returns how to bring back what was typed, if anything was. */
  discard(): (() => void) | null {
    this.problem = null;
    const key = this.selectedKey;
    const dropped = key === null ? null : this.#drafts.discard(slotDrafts, key);
    return key !== null && dropped ? () => this.#drafts.set(slotDrafts, key, dropped) : null;
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
      this.problem = null;
      this.#drafts.discard(slotDrafts, slotKey(selected));
      return selected;
    } catch (error) {
      this.problem = asError(error).message;
      return null;
    } finally {
      this.saving = false;
    }
  }

  async write({ project, name }: Slot, content: string): Promise<void> {
    this.#put(await this.#scope.call('slots.replace', { project, name, content }));
  }

  #selectFirst(): void {
    const [first] = this.groups[0]?.items ?? [];
    if (!this.selected && first) this.selectedKey = slotKey(first);
  }

  reversalOf(slot: Slot): Promise<Reversal | null> {
    return reverseNewest(this.#scope.call, slot);
  }

  #put(saved: Slot): void {
    this.slots.put((slots) => slots.map((slot) => (slotKey(slot) === slotKey(saved) ? saved : slot)));
  }
}

/** The slots with those of one project in this order; those of other projects keep their places. */
function inOrder(slots: Slot[], project: string, names: readonly string[]): Slot[] {
  const place = ({ name }: Slot) => (names.includes(name) ? names.indexOf(name) : names.length);
  const queue = slots.filter((slot) => slot.project === project).toSorted((a, b) => place(a) - place(b));
  return slots.map((slot) => (slot.project === project ? (queue.shift() ?? slot) : slot));
}
