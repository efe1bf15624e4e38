import type { Learning } from '#contract/entities.ts';
import type { Input } from '#contract/methods.ts';
import type { Queries, Resource } from '../query/queries.svelte.ts';
import { afterQuiet, oneAtATime } from '../ui/delay.ts';

export const SCOPE = 'quick-search';
const MOST_ROWS = 8;
const LATEST = 7; // their heading takes the place of one
const REFINED_AFTER_MS = 150;

/** The text that is copied: the rule, else the fix, else the title. */
export const textToCopy = ({ rule, fix, title }: Pick<Learning, 'rule' | 'fix' | 'title'>): string =>
  rule || fix || title;

/** As much of a learning as a row shows. */
type FoundRow = Pick<Learning, 'id' | 'title' | 'scope' | 'project' | 'category' | 'updatedAt'>;

/** Finds in two steps: at every letter what has words that begin as typed, and once typing pauses what recall finds. */
export class QuickSearchState {
  readonly #queries: Queries;
  readonly #latest: Resource<'learnings.list'>;
  readonly #matches: Resource<'learnings.list'>;
  readonly #recalled: Resource<'recall.search'>;
  typed = $state('');
  index = $state(0);
  /** The learning whose details are shown beside the rows. */
  detail = $state<Learning>();
  /** True once recall has answered for what is typed. */
  isRefined = $state(false);
  /** False while the rows are still those of fewer letters. */
  #isAnswered = false;
  /** True once a person has moved among the rows; from then on the rows keep their order. */
  #isInUse = false;
  readonly #askNow = oneAtATime(() => this.ask());
  readonly #refineSoon = afterQuiet(REFINED_AFTER_MS, () => void this.refine());

  constructor(queries: Queries) {
    this.#queries = queries;
    const scope = queries.scope(SCOPE);
    this.#latest = scope.resource('learnings.list');
    this.#matches = scope.resource('learnings.list');
    this.#recalled = scope.resource('recall.search');
  }

  /** The learnings changed last are shown before anything is typed. */
  async load(): Promise<void> {
    await this.#latest.ask({ status: 'active', limit: LATEST });
  }

  /** Answers of recall first; half a word means nothing to it, so what begins as typed stays below, before weak hits. */
  get rows(): FoundRow[] {
    if (this.typed.trim() === '') return this.#latest.value?.items ?? [];
    const strong = this.#hits.filter(({ weak }) => !weak).map(({ learning }) => learning);
    const weak = this.#hits.filter((hit) => hit.weak).map(({ learning }) => learning);
    const all = [...strong, ...(this.#matches.value?.items ?? []), ...weak];
    return all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at).slice(0, MOST_ROWS);
  }

  /** True for a row that recall thinks is no answer, and that does not begin as typed either. */
  isWeak(id: string): boolean {
    const matches = this.#matches.value?.items ?? [];
    return (
      this.#hits.some(({ learning, weak }) => learning.id === id && weak) &&
      !matches.some((row) => row.id === id)
    );
  }

  get #hits() {
    return this.isRefined ? (this.#recalled.value?.hits ?? []) : [];
  }

  get error(): Error | undefined {
    return this.#matches.error;
  }

  get selected(): FoundRow | undefined {
    return this.rows[this.index];
  }

  type(typed: string): void {
    this.typed = typed;
    this.detail = undefined;
    this.isRefined = false;
    this.#isAnswered = false;
    this.#isInUse = false;
    this.#askNow();
    this.#refineSoon();
  }

  async ask(): Promise<void> {
    const text = this.typed.trim();
    if (text === '') {
      this.#matches.clear();
      return;
    }
    await this.#matches.ask({ text, status: 'active', limit: MOST_ROWS });
    this.#isAnswered ||= text === this.typed.trim() && !this.#matches.error;
    this.index = 0;
  }

  /** The whole answer, by meaning and reranked; dropped when somebody has started to choose from the first. */
  async refine(): Promise<void> {
    const query = this.typed.trim();
    if (query === '' || this.#isInUse) return;
    try {
      await this.#queries.fetch('recall.search', question(query));
    } catch {
      return; // the rows that begin as typed stay
    }
    if (this.#isInUse || query !== this.typed.trim()) return;
    this.#recalled.show(question(query));
    this.isRefined = true;
    this.index = 0;
  }

  /** The row that is meant: Enter may come before the answer to the last letters, or before recall's. */
  async chosen(): Promise<FoundRow | undefined> {
    const { typed } = this;
    const isAnswered = () => typed.trim() === '' || this.#isAnswered || this.isRefined;
    if (!isAnswered()) await this.ask();
    if (!this.selected) await this.refine();
    return this.typed === typed && isAnswered() ? this.selected : undefined;
  }

  /** The learning that is meant, as a whole. */
  async whole(): Promise<Learning | undefined> {
    return this.#read(await this.chosen());
  }

  /** A row alone has its title and little more. */
  async #read(row: FoundRow | undefined): Promise<Learning | undefined> {
    if (!row) return undefined;
    const { id } = row;
    return (
      this.#hits.find(({ learning }) => learning.id === id)?.learning ??
      this.#queries.fetch('learnings.get', { id })
    );
  }

  async showDetail(): Promise<void> {
    this.#isInUse = true;
    const chosen = this.selected;
    const learning = await this.#read(chosen);
    if (this.selected?.id === chosen?.id) this.detail = learning;
  }

  async move(step: number): Promise<void> {
    this.#isInUse = true;
    const { length } = this.rows;
    if (length === 0) return;
    this.index = (this.index + step + length) % length;
    if (this.detail) await this.showDetail();
  }

  clear(): void {
    this.type('');
    this.#matches.clear();
    this.index = 0;
  }
}

const question = (query: string): Input<'recall.search'> => ({
  query,
  global: true,
  limit: MOST_ROWS,
  quiet: true,
  knobs: {},
});
