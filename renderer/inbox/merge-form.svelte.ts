import type { Drafts } from '../drafts.svelte.ts';
import type { Decision } from './decisions.ts';
import { type MergeDraft, mergeDrafts } from './drafts.ts';
import {
  type Choice,
  type Choices,
  differingFields,
  type Edits,
  firstChoices,
  type MergedField,
} from './merge-choice.ts';

/** The merge of two notes, while a person chooses between them field by field. */
export class MergeForm {
  readonly #drafts: Drafts;
  readonly #selected: () => Decision | undefined;
  #field = $state<MergedField | null>(null);

  constructor(drafts: Drafts, selected: () => Decision | undefined) {
    this.#drafts = drafts;
    this.#selected = selected;
  }

  /** The fields two notes differ in, which are the ones to decide. */
  get fields(): MergedField[] {
    const selected = this.#selected();
    return selected?.kind === 'merge'
      ? differingFields(selected.question.existing, selected.question.incoming)
      : [];
  }

  /** The field the keys choose for. */
  get field(): MergedField | null {
    const { fields } = this;
    return fields.find((field) => field === this.#field) ?? fields[0] ?? null;
  }

  set field(field: MergedField | null) {
    this.#field = field;
  }

  get #draft(): MergeDraft {
    const selected = this.#selected();
    if (selected?.kind !== 'merge') return { choices: {}, edits: {} };
    const { existing, incoming } = selected.question;
    return (
      this.#drafts.of(mergeDrafts, selected.key) ?? { choices: firstChoices(existing, incoming), edits: {} }
    );
  }

  get choices(): Choices {
    return this.#draft.choices;
  }

  get edits(): Edits {
    return this.#draft.edits;
  }

  moveField(step: number): void {
    const { fields, field } = this;
    const index = field === null ? 0 : fields.indexOf(field) + step;
    this.#field = fields[Math.min(fields.length - 1, Math.max(0, index))] ?? null;
  }

  choose(field: MergedField, choice: Choice): void {
    const { choices, edits } = this.#draft;
    // A new choice replaces what was typed over the last one.
    const others = Object.fromEntries(Object.entries(edits).filter(([edited]) => edited !== field));
    this.#set({ choices: { ...choices, [field]: choice }, edits: others });
    this.#field = field;
  }

  edit(field: MergedField, text: string): void {
    const { choices, edits } = this.#draft;
    this.#set({ choices, edits: { ...edits, [field]: text } });
  }

  #set(draft: MergeDraft): void {
    const key = this.#selected()?.key;
    if (key !== undefined) this.#drafts.set(mergeDrafts, key, draft);
  }
}
