import { SvelteSet } from 'svelte/reactivity';
import type { LearningRow, Status } from '#contract/entities.ts';
import type { Call, Input, Output } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { asError } from '../ui/resource.svelte.ts';

export const FACETS = ['project', 'branch', 'category', 'tag', 'agent', 'confidence', 'status'] as const;
export type Facet = (typeof FACETS)[number];
export type Filter = { text: string } & Record<Facet, string>;

type Listed = Output<'learnings.list'>;
type Rows = (LearningRow | undefined)[];

export type ManyChange = Omit<Input<'learnings.changeMany'>, 'ids' | 'reason'>;

const PAGE_SIZE = 100;
/** What one request changes at most. */
const MOST_AT_ONCE = 500;
/** What one sees first: everything that recall uses. */
export const UNFILTERED: Filter = { text: '', project: '', branch: '', category: '', tag: '', agent: '', confidence: '', status: 'active' };

/** The list of learnings: what is asked for, the pages of it that were needed so far, and which row is selected. */
export class LearningsState {
  readonly #call: Call;
  filter = $state.raw<Filter>(UNFILTERED);
  rows = $state.raw<Rows>([]);
  facets = $state.raw<Listed['facets']>({});
  selectedId = $state<string | null>(null);
  /** Marked to be changed together. */
  readonly marked = new SvelteSet<string>();
  /** Where a range of marks begins. */
  #anchor: string | null = null;
  phase = $state<'loading' | 'ready'>('loading');
  error = $state.raw<Error>();
  #generation = 0;
  #asked: number[] = [];
  #visible = { first: 0, end: 1 };
  readonly #searchSoon = afterQuiet(40, () => void this.loadAnew());
  readonly #refreshSoon = afterQuiet(120, () => void this.refresh());

  constructor(call: Call) {
    this.#call = call;
  }

  get isFiltered(): boolean {
    return JSON.stringify(this.filter) !== JSON.stringify(UNFILTERED);
  }

  get selectedIndex(): number {
    return this.rows.findIndex((row) => row?.id === this.selectedId);
  }

  search(text: string): void {
    this.filter = { ...this.filter, text };
    this.#searchSoon();
  }

  /** Marks the row, or takes its mark away; a range from here begins with it. */
  mark(id: string): void {
    if (!this.marked.delete(id)) this.marked.add(id);
    this.#anchor = id;
  }

  /** Marks every loaded row from the last one marked, or else selected, to this. */
  markTo(id: string): void {
    const from = this.rows.findIndex((row) => row?.id === (this.#anchor ?? this.selectedId));
    const to = this.rows.findIndex((row) => row?.id === id);
    if (from < 0 || to < 0) return this.mark(id);
    for (const row of this.rows.slice(Math.min(from, to), Math.max(from, to) + 1)) if (row) this.marked.add(row.id);
    this.#anchor ??= this.selectedId;
  }

  markLoaded(): void {
    for (const row of this.rows) if (row && this.marked.size < MOST_AT_ONCE) this.marked.add(row.id);
  }

  unmark(): void {
    this.marked.clear();
    this.#anchor = null;
  }

  /** Changes all that is marked as one event; returns how many there were, and the change that undoes them all. */
  async changeMarked(change: ManyChange): Promise<{ changed: number; changeId: number | null }> {
    const ids = [...this.marked].slice(0, MOST_AT_ONCE);
    const outcome = await this.#call('learnings.changeMany', { ids, ...change });
    this.unmark();
    await this.refresh();
    if (this.selectedIndex < 0) this.selectedId = this.rows[0]?.id ?? null;
    return outcome;
  }

  narrow(facet: Facet, value: string): Promise<void> {
    this.filter = { ...this.filter, [facet]: value };
    return this.loadAnew();
  }

  clearFilter(): Promise<void> {
    this.filter = UNFILTERED;
    return this.loadAnew();
  }

  /** Asks for a changed filter, from its first row; the old rows stay until the new ones are here. */
  async loadAnew(): Promise<void> {
    this.#visible = { first: 0, end: 1 };
    // What is marked must be what one sees.
    this.unmark();
    await this.refresh();
    // A selection that was filtered out gives way to the best match.
    if (this.selectedIndex < 0) this.selectedId = this.rows[0]?.id ?? this.selectedId;
  }

  /** Asks again for what is in view, in place: the scroll position and the selection stay. */
  async refresh(): Promise<void> {
    const generation = ++this.#generation;
    const pages = this.#pagesIn(this.#visible.first, this.#visible.end);
    try {
      const listed = await Promise.all(pages.map((page) => this.#ask(page)));
      if (generation !== this.#generation) return;
      const rows: Rows = new Array(listed[0]?.total ?? 0);
      listed.forEach(({ items }, index) => place(rows, items, (pages[index] ?? 0) * PAGE_SIZE));
      this.rows = rows;
      this.facets = listed[0]?.facets ?? {};
      this.#asked = pages;
      this.error = undefined;
      this.selectedId ??= rows[0]?.id ?? null;
    } catch (error) {
      if (generation === this.#generation) this.error = asError(error);
    } finally {
      if (generation === this.#generation) this.phase = 'ready';
    }
  }

  /** Called as one scrolls: asks for the pages in view that are not here yet. */
  showRange(first: number, end: number): void {
    this.#visible = { first, end };
    if (this.rows.length === 0) return;
    const generation = this.#generation;
    for (const page of this.#pagesIn(first, end)) {
      if (this.#asked.includes(page)) continue;
      this.#asked.push(page);
      this.#ask(page).then(
        ({ items }) => {
          if (generation === this.#generation) this.rows = place([...this.rows], items, page * PAGE_SIZE);
        },
        () => (this.#asked = this.#asked.filter((other) => other !== page)),
      );
    }
  }

  move(step: number): void {
    const index = this.selectedIndex < 0 ? 0 : this.selectedIndex + step;
    const row = this.rows[Math.min(this.rows.length - 1, Math.max(0, index))];
    if (row) this.selectedId = row.id;
  }

  /** Archives at once on screen; returns the change that undoes it. */
  archive(id: string): Promise<number> {
    return this.#changeStatus(id, 'archived', 'learnings.archive');
  }

  restore(id: string): Promise<number> {
    return this.#changeStatus(id, 'active', 'learnings.restore');
  }

  onEvent({ type }: ClientEvent): void {
    if (this.phase === 'ready' && (type === 'learning.changed' || type === 'reconnected')) this.#refreshSoon();
  }

  async #changeStatus(id: string, status: Status, method: 'learnings.archive' | 'learnings.restore'): Promise<number> {
    const before = this.rows;
    const index = before.findIndex((row) => row?.id === id);
    if (index >= 0) {
      const stays = this.filter.status === '' || this.filter.status === status;
      this.rows = stays ? before.map((row) => (row?.id === id ? { ...row, status } : row)) : before.toSpliced(index, 1);
      // The next row takes the place, so that a key can be pressed again and again.
      if (id === this.selectedId) this.selectedId = (this.rows[stays ? index + 1 : index] ?? this.rows.at(-1))?.id ?? null;
    }
    try {
      return (await this.#call(method, { id })).changeId;
    } catch (error) {
      this.rows = before;
      if (index >= 0) this.selectedId = id;
      throw error;
    }
  }

  #pagesIn(first: number, end: number): number[] {
    const from = Math.floor(first / PAGE_SIZE);
    const to = Math.floor(Math.max(first, end - 1) / PAGE_SIZE);
    return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  }

  #ask(page: number): Promise<Listed> {
    const chosen = Object.fromEntries(Object.entries(this.filter).filter(([, value]) => value.trim() !== ''));
    // The status comes from a list of its own values, which the schema on the other side checks again.
    return this.#call('learnings.list', { ...(chosen as Input<'learnings.list'>), offset: page * PAGE_SIZE, limit: PAGE_SIZE });
  }
}

function place(rows: Rows, items: LearningRow[], offset: number): Rows {
  items.forEach((item, index) => (rows[offset + index] = item));
  return rows;
}
