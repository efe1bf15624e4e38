import type { Learning } from '#contract/entities.ts';
import type { Hit } from '#contract/recall.ts';
import type { Input } from '#contract/methods.ts';
import type { Queries, Resource } from '../query/queries.svelte.ts';
import { afterQuiet, oneAtATime } from '../ui/delay.ts';

const MOST_ROWS = 8;
const REFINED_AFTER_MS = 150;
/** Without a model an answer takes a few milliseconds, so it can follow every letter. */
const BY_WORDS = { RECALL_CACHE: false, RECALL_CROSS_ENCODER: false, RECALL_VECTOR_ARM: false };

/** The text that is copied: the rule, else the fix, else the title. */
export const textToCopy = ({ rule, fix, title }: Pick<Learning, 'rule' | 'fix' | 'title'>): string =>
  rule || fix || title;

export class QuickSearchState {
  readonly #queries: Queries;
  readonly hits: Resource<'recall.search'>;
  typed = $state('');
  index = $state(0);
  detailShown = $state(false);
  /** True once a person has moved among the rows; from then on the rows keep their order. */
  #isInUse = false;
  readonly #askNow = oneAtATime(() => this.ask(BY_WORDS));
  readonly #refineSoon = afterQuiet(REFINED_AFTER_MS, () => void this.refine());

  constructor(queries: Queries) {
    this.#queries = queries;
    this.hits = queries.scope('quick-search').resource('recall.search');
  }

  get rows(): Hit[] {
    return this.typed.trim() === '' ? [] : (this.hits.value?.hits.slice(0, MOST_ROWS) ?? []);
  }

  get selected(): Learning | undefined {
    return this.rows[this.index]?.learning;
  }

  type(typed: string): void {
    this.typed = typed;
    this.detailShown = false;
    this.#isInUse = false;
    this.#askNow();
    this.#refineSoon();
  }

  async ask(knobs: Record<string, boolean>): Promise<void> {
    const query = this.typed.trim();
    if (query === '') {
      this.hits.clear();
      return;
    }
    await this.hits.ask(question(query, knobs));
    this.index = 0;
  }

  /** The whole answer, by meaning and reranked; dropped when somebody has begun to choose from the first. */
  async refine(): Promise<void> {
    const query = this.typed.trim();
    if (query === '' || this.#isInUse) return;
    try {
      await this.#queries.fetch('recall.search', question(query, {}));
    } catch {
      return; // the rows found by words stay
    }
    if (this.#isInUse || query !== this.typed.trim()) return;
    this.hits.show(question(query, {}));
    this.index = 0;
  }

  move(step: number): void {
    this.#isInUse = true;
    const { length } = this.rows;
    if (length > 0) this.index = (this.index + step + length) % length;
  }

  clear(): void {
    this.type('');
    this.hits.clear();
    this.index = 0;
  }
}

const question = (query: string, knobs: Record<string, boolean>): Input<'recall.search'> => ({
  query,
  global: true,
  limit: MOST_ROWS,
  quiet: true,
  knobs,
});
