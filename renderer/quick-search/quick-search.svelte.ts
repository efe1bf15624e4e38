import type { Hit, Learning } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import { afterQuiet, oneAtATime } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';

const MOST_ROWS = 8;
const REFINED_AFTER_MS = 150;
/** Without a model an answer takes a few milliseconds, so it can follow every letter. */
const BY_WORDS = { RECALL_CACHE: false, RECALL_CROSS_ENCODER: false, RECALL_VECTOR_ARM: false };

/** What one pastes: the rule, else the fix, else the title, which says it too. */
export const textToCopy = ({ rule, fix, title }: Pick<Learning, 'rule' | 'fix' | 'title'>): string =>
  rule || fix || title;

export class QuickSearchState {
  readonly #call: Call;
  readonly hits = new Resource<Hit[]>();
  typed = $state('');
  index = $state(0);
  detailShown = $state(false);
  /** Whether somebody has moved among the rows: then they stay where they are. */
  #isInUse = false;
  readonly #askNow = oneAtATime(() => this.ask(BY_WORDS));
  readonly #refineSoon = afterQuiet(REFINED_AFTER_MS, () => void this.refine());

  constructor(call: Call) {
    this.#call = call;
  }

  get rows(): Hit[] {
    return this.typed.trim() === '' ? [] : (this.hits.value ?? []);
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
    await this.hits.load(async () => this.#search(query, knobs));
    this.index = 0;
  }

  /** The whole answer, by meaning and reranked; dropped when somebody has begun to choose from the first. */
  async refine(): Promise<void> {
    const query = this.typed.trim();
    if (query === '' || this.#isInUse) return;
    const before = this.hits.value;
    await this.hits.load(async () => {
      const refined = await this.#search(query, {});
      return this.#isInUse && before ? before : refined;
    });
    if (!this.#isInUse) this.index = 0;
  }

  move(step: number): void {
    this.#isInUse = true;
    const { length } = this.rows;
    if (length > 0) this.index = (this.index + step + length) % length;
  }

  async #search(query: string, knobs: Record<string, boolean>): Promise<Hit[]> {
    return (
      await this.#call('recall.search', { query, global: true, limit: MOST_ROWS, quiet: true, knobs })
    ).hits.slice(0, MOST_ROWS);
  }

  clear(): void {
    this.type('');
    this.hits.clear();
    this.index = 0;
  }
}
