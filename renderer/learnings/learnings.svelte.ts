import type { LearningRow, Status } from '#contract/entities.ts';
import type { Call, Input, Output } from '#contract/methods.ts';
import type { Drafts } from '../drafts.svelte.ts';
import { Overlay } from '../query/overlay.svelte.ts';
import type { Queries } from '../query/queries.svelte.ts';
import { afterQuiet, oneAtATime } from '../ui/delay.ts';
import { asError } from '../ui/error.ts';
import { projectNames } from '../ui/project-names.ts';
import { learningDrafts } from './draft.ts';
import { type Facet, type Filter, UNFILTERED } from './filter.ts';
import { manyDrafts, MARKED, Marks, MOST_AT_ONCE } from './marks.svelte.ts';
import { SavedFilters } from './saved-filters.svelte.ts';

type Listed = Output<'learnings.list'>;
type Rows = (LearningRow | undefined)[];

export type ManyChange = Omit<Input<'learnings.changeMany'>, 'ids' | 'reason'>;

const PAGE_SIZE = 100;
const QUIET_MS = 120;
const REFINED_AFTER_MS = 250;
const LEAST_REFINED = 3; // letters; fewer mean nothing yet
const MOST_BEST = 50;

/** The list of learnings: what is asked for, the pages of it that were needed so far, and which row is selected. */
export class LearningsState {
  readonly #call: Call;
  readonly #drafts: Drafts;
  readonly #rows = new Overlay<Rows>();
  filter = $state.raw<Filter>(UNFILTERED);
  readonly saved = new SavedFilters();
  facets = $state.raw<Listed['facets']>({});
  /** A project by a name that no other one in the list has. */
  readonly nameOf = $derived(projectNames((this.facets['project'] ?? []).map(({ value }) => value)));
  selectedId = $state<string | null>(null);
  /** The place of the selected row, for when its page is no longer loaded. */
  #selectedAt = 0;
  /** A place that a key led to before its page was loaded. */
  #wantedAt: number | null = null;
  readonly marks = new Marks(this);
  phase = $state<'loading' | 'ready'>('loading');
  error = $state.raw<Error>();
  #generation = 0;
  #asked: number[] = [];
  #visible = { first: 0, end: 1 };
  /** The best matches by meaning, once they are known. */
  #best: string[] = [];
  /** True once a person has moved in the list since typing; from then on the rows keep their order. */
  #isInUse = false;
  // The list follows every letter; what takes longer waits for a pause.
  readonly #searchNow = oneAtATime(() => this.#loadAnew({ facets: false }));
  readonly #refineSoon = afterQuiet(REFINED_AFTER_MS, () => void this.refine());

  constructor(queries: Queries, drafts: Drafts) {
    this.#call = queries.call;
    this.#drafts = drafts;
    for (const id of drafts.of(manyDrafts, MARKED)?.ids ?? []) this.marks.ids.add(id);
    queries.scope('learnings', QUIET_MS).listing('learnings.list', () => this.#refreshIfLoaded());
  }

  /** Every row has its place; those that were not scrolled to yet are undefined. */
  get rows(): Rows {
    return this.#rows.value ?? [];
  }

  get isFiltered(): boolean {
    return JSON.stringify(this.filter) !== JSON.stringify(UNFILTERED);
  }

  get selectedIndex(): number {
    return this.rows.findIndex((row) => row?.id === this.selectedId);
  }

  search(text: string): void {
    this.filter = { ...this.filter, text };
    this.#best = [];
    this.#isInUse = false;
    this.#searchNow();
    this.#refineSoon();
  }

  /** Puts what answers the words best first, by meaning too, and counts what the filters would show. */
  async refine(): Promise<void> {
    const { text, project } = this.filter;
    const words = text.trim();
    const best = words.length < LEAST_REFINED ? [] : await this.#answersTo(words, project);
    if (text !== this.filter.text) return;
    const untouched = !this.#isInUse && this.#visible.first === 0;
    if (untouched) this.#best = best;
    await this.refresh();
    if (untouched && !this.#isInUse && best.length > 0 && !this.#isEditing) this.#selectFirst();
  }

  select(id: string): void {
    this.#isInUse = true;
    this.selectedId = id;
    this.#selectedAt = Math.max(0, this.selectedIndex);
  }

  /** Changes all that is marked as one event; returns how many there were, and the change that undoes them all. */
  async changeMarked(change: ManyChange): Promise<{ changed: number; changeId: number | null }> {
    const ids = [...this.marks.ids].slice(0, MOST_AT_ONCE);
    const outcome = await this.#call('learnings.changeMany', { ids, ...change });
    this.#drafts.discard(manyDrafts, MARKED);
    this.marks.clear();
    await this.refresh();
    if (this.selectedIndex < 0 && !this.#isEditing) this.selectedId = this.rows[0]?.id ?? null;
    return outcome;
  }

  narrow(facet: Facet, value: string): Promise<void> {
    this.filter = { ...this.filter, [facet]: value };
    return this.loadAnew();
  }

  clearFilter(): Promise<void> {
    return this.apply(UNFILTERED);
  }

  apply(filter: Filter): Promise<void> {
    this.filter = filter;
    this.#best = [];
    if (filter.text !== '') this.#refineSoon();
    return this.loadAnew();
  }

  /** Asks for a changed filter, from its first row; the old rows stay until the new ones are here. */
  loadAnew(): Promise<void> {
    return this.#loadAnew({ facets: true });
  }

  async #loadAnew(how: { facets: boolean }): Promise<void> {
    this.#visible = { first: 0, end: 1 };
    // Only visible rows may stay marked.
    this.marks.clear();
    await this.refresh(how);
    // A selection that was filtered out gives way to the best match, unless it is being edited.
    if (this.selectedIndex < 0 && !this.#isEditing) this.#selectFirst();
  }

  /** Asks again for what is in view, in place: the scroll position and the selection stay. */
  async refresh({ facets = true } = {}): Promise<void> {
    const generation = (this.#generation = this.#rows.begin());
    const pages = this.#pagesIn(this.#visible.first, this.#visible.end);
    try {
      const listed = await Promise.all(pages.map((page) => this.#ask(page, facets && page === pages[0])));
      if (generation !== this.#generation) return;
      const rows: Rows = new Array(listed[0]?.total ?? 0);
      listed.forEach(({ items }, index) => place(rows, items, (pages[index] ?? 0) * PAGE_SIZE));
      this.#rows.receive(generation, rows);
      if (facets) this.facets = listed[0]?.facets ?? {};
      this.#asked = pages;
      this.error = undefined;
      this.selectedId ??= rows[0]?.id ?? null;
    } catch (error) {
      if (generation === this.#generation) this.error = asError(error);
    } finally {
      if (generation === this.#generation) this.phase = 'ready';
    }
  }

  /** Called as one scrolls: asks for the pages in view that are not loaded. */
  showRange(first: number, end: number): void {
    this.#visible = { first, end };
    this.#loadPages(first, end);
  }

  #loadPages(first: number, end: number): void {
    if (this.rows.length === 0) return;
    const generation = this.#generation;
    for (const page of this.#pagesIn(first, end)) {
      if (this.#asked.includes(page)) continue;
      this.#asked.push(page);
      this.#ask(page, false).then(
        ({ items }) => {
          if (generation !== this.#generation) return;
          this.#rows.amend((rows) => place([...rows], items, page * PAGE_SIZE));
          if (this.#wantedAt !== null && this.rows[this.#wantedAt]) this.#selectAt(this.#wantedAt);
        },
        () => (this.#asked = this.#asked.filter((other) => other !== page)),
      );
    }
  }

  move(step: number): void {
    const from = this.selectedIndex < 0 ? this.#selectedAt : this.selectedIndex;
    this.#selectAt(Math.min(this.rows.length - 1, Math.max(0, from + step)));
  }

  /** Selects the row of this place, as soon as it is loaded. */
  #selectAt(index: number): void {
    this.#selectedAt = index;
    const row = this.rows[index];
    this.#wantedAt = row ? null : index;
    if (row) this.select(row.id);
    else this.#loadPages(index, index + 1);
  }

  /** Archives at once on screen; returns the change that undoes it. */
  archive(id: string): Promise<number> {
    return this.#changeStatus(id, 'archived', 'learnings.archive');
  }

  restore(id: string): Promise<number> {
    return this.#changeStatus(id, 'active', 'learnings.restore');
  }

  async #changeStatus(
    id: string,
    status: Status,
    method: 'learnings.archive' | 'learnings.restore',
  ): Promise<number> {
    const index = this.rows.findIndex((row) => row?.id === id);
    const stays = this.filter.status === '' || this.filter.status === status;
    const changing = this.#rows.change(
      (rows) => (stays ? rows.map((row) => (row?.id === id ? { ...row, status } : row)) : without(rows, id)),
      () => this.#call(method, { id }),
    );
    // The next row takes the place, so that a key can be pressed again and again.
    const wasSelected = index >= 0 && id === this.selectedId;
    if (wasSelected) {
      this.selectedId = null;
      this.#selectAt(Math.max(0, Math.min(stays ? index + 1 : index, this.rows.length - 1)));
    }
    try {
      return (await changing).changeId;
    } catch (error) {
      if (wasSelected) this.selectedId = id;
      throw error;
    }
  }

  /** A form that is being filled in must not be taken away by a search or a filter. */
  get #isEditing(): boolean {
    return this.selectedId !== null && this.#drafts.of(learningDrafts, this.selectedId) !== undefined;
  }

  #selectFirst(): void {
    this.selectedId = this.rows[0]?.id ?? null;
  }

  async #refreshIfLoaded(): Promise<void> {
    if (this.phase === 'ready') await this.refresh();
  }

  #pagesIn(first: number, end: number): number[] {
    const from = Math.floor(first / PAGE_SIZE);
    const to = Math.floor(Math.max(first, end - 1) / PAGE_SIZE);
    return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  }

  #ask(page: number, facets: boolean): Promise<Listed> {
    const chosen = Object.fromEntries(Object.entries(this.filter).filter(([, value]) => value.trim() !== ''));
    const best = this.#best.length > 0 ? { best: this.#best } : {};
    // The status comes from a list of its own values, which the schema on the other side checks again.
    return this.#call('learnings.list', {
      ...(chosen as Input<'learnings.list'>),
      ...best,
      facets,
      offset: page * PAGE_SIZE,
      limit: PAGE_SIZE,
    });
  }

  /** Ids; none when recall cannot be asked, for then the order by words is good enough. */
  async #answersTo(query: string, project: string): Promise<string[]> {
    try {
      const { hits } = await this.#call('recall.search', {
        query,
        quiet: true,
        limit: MOST_BEST,
        ...(project === '' ? { global: true } : { project }),
      });
      return hits.map(({ learning }) => learning.id);
    } catch {
      return [];
    }
  }
}

function place(rows: Rows, items: LearningRow[], offset: number): Rows {
  items.forEach((item, index) => (rows[offset + index] = item));
  return rows;
}

/** Keeps the places of rows that are not loaded, which `filter` would drop. */
function without(rows: Rows, id: string): Rows {
  const index = rows.findIndex((row) => row?.id === id);
  return index < 0 ? rows : rows.toSpliced(index, 1);
}
