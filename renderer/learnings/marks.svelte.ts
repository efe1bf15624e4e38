import { SvelteSet } from 'svelte/reactivity';
import * as z from 'zod';
import type { DraftKind } from '../drafts.svelte.ts';

/** The most that one request may change. */
export const MOST_AT_ONCE = 500;

/** A change of all that is marked, while it is being typed, with the marks it is for. */
const ManyDraft = z.object({ asked: z.enum(['tag', 'move']), typed: z.string(), ids: z.array(z.string()) });
export const manyDrafts: DraftKind<z.infer<typeof ManyDraft>> = {
  name: 'many',
  schema: ManyDraft,
  isUnsaved: ({ typed }) => typed.trim() !== '',
};
/** There is one bar for all that is marked. */
export const MARKED = 'marked';

interface MarkedList {
  readonly rows: readonly ({ id: string } | undefined)[];
  readonly selectedId: string | null;
}

/** The rows of a list that are marked to be changed together. */
export class Marks {
  readonly ids = new SvelteSet<string>();
  readonly #list: MarkedList;
  /** The start of a range. */
  #anchor: string | null = null;

  constructor(list: MarkedList) {
    this.#list = list;
  }

  /** Marks the row, or takes its mark away; a range from here begins with it. */
  toggle(id: string): void {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#anchor = id;
  }

  /** Marks every loaded row from the last one marked, or else selected, to this. */
  extendTo(id: string): void {
    const { rows, selectedId } = this.#list;
    const from = rows.findIndex((row) => row?.id === (this.#anchor ?? selectedId));
    const to = rows.findIndex((row) => row?.id === id);
    if (from < 0 || to < 0) {
      this.toggle(id);
      return;
    }
    for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) if (row) this.ids.add(row.id);
    this.#anchor ??= selectedId;
  }

  addLoaded(): void {
    for (const row of this.#list.rows) if (row && this.ids.size < MOST_AT_ONCE) this.ids.add(row.id);
  }

  clear(): void {
    this.ids.clear();
    this.#anchor = null;
  }
}
