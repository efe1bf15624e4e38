import type { Hit, Learning } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';

const MOST_ROWS = 8;

/** What one pastes: the rule, else the fix, else the title, which says it too. */
export const textToCopy = ({ rule, fix, title }: Pick<Learning, 'rule' | 'fix' | 'title'>): string => rule || fix || title;

export class QuickSearchState {
  readonly #call: Call;
  readonly hits = new Resource<Hit[]>();
  typed = $state('');
  index = $state(0);
  detailShown = $state(false);
  readonly #askSoon = afterQuiet(60, () => void this.ask());

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
    this.#askSoon();
  }

  async ask(): Promise<void> {
    const query = this.typed.trim();
    if (query === '') {
      this.hits.clear();
      return;
    }
    // Without the cross-encoder an answer takes a few milliseconds, so it can follow every letter.
    await this.hits.load(
      async () => (await this.#call('recall.search', { query, global: true, limit: MOST_ROWS, quiet: true, knobs: { RECALL_CROSS_ENCODER: false } })).hits.slice(0, MOST_ROWS),
    );
    this.index = 0;
  }

  move(step: number): void {
    const { length } = this.rows;
    if (length > 0) this.index = (this.index + step + length) % length;
  }

  clear(): void {
    this.type('');
    this.hits.clear();
    this.index = 0;
  }
}
