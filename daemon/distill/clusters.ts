import { contentWords } from '../text/tokenise.ts';
import { jaccard } from '../text/similarity.ts';

/** An item to compare: its words, and the place whose items it is compared with. */
export interface Item {
  seq: number;
  place: number;
  words: ReadonlySet<string>;
}

interface ClusterOptions {
  /** The share of words two items must have in common, 0…1. */
  threshold: number;
  /** Pairs that belong together for other reasons. */
  links?: ReadonlyArray<readonly [number, number]>;
  /** Pairs that must not be joined, however similar. */
  apart?: (one: number, other: number) => boolean;
}

export const wordsOf = (title: string, tags: readonly string[]): Set<string> =>
  new Set([...contentWords(title), ...tags.map((tag) => tag.toLowerCase())]);

/** Groups of two or more, each member similar to at least one other (single linkage). Yields after every item. */
export function* clustersOf(
  items: readonly Item[],
  { threshold, links = [], apart = () => false }: ClusterOptions,
): Generator<void, number[][]> {
  const sets = new Sets();
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  for (const [one, other] of alikePairs(items, threshold)) {
    if (!one) yield;
    else if (!sets.areJoined(one.seq, other.seq) && !apart(one.seq, other.seq)) sets.join(one.seq, other.seq);
  }
  for (const [one, other] of links) {
    if (bySeq.get(one)?.place === bySeq.get(other)?.place && bySeq.has(one) && !apart(one, other))
      sets.join(one, other);
  }
  return sets.groups();
}

type Step = [null, null] | [Item, Item];

/**
 * All pairs of one place that are similar enough, with an empty step after each item. With words sorted from rare to
 * common, two similar sets share one of their first few words; with sets sorted by size, the smaller one needs even
 * fewer (Bayardo's prefix filter). Only pairs with such a word in common are compared.
 */
function* alikePairs(items: readonly Item[], threshold: number): Generator<Step> {
  const times = new Map<string, number>();
  for (const { words } of items) {
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    yield [null, null];
  }
  const rank = (word: string) => times.get(word) ?? 0;
  const holders = new Map<string, Item[]>();
  for (const item of items.toSorted((a, b) => a.words.size - b.words.size)) {
    const { size } = item.words;
    const rarestFirst = [...item.words]
      .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map((word) => `${item.place}\n${word}`);
    const compared = new Set<Item>();
    for (const key of rarestFirst.slice(0, size - Math.ceil(threshold * size) + 1)) {
      for (const other of holders.get(key) ?? [])
        if (other.words.size >= threshold * size) compared.add(other);
    }
    for (const other of compared) if (jaccard(item.words, other.words) >= threshold) yield [item, other];
    for (const key of rarestFirst.slice(
      0,
      size - Math.ceil(((2 * threshold) / (1 + threshold)) * size) + 1,
    )) {
      const others = holders.get(key);
      if (others) others.push(item);
      else holders.set(key, [item]);
    }
    yield [null, null];
  }
}

/** Union-find: joins items into groups pair by pair. */
class Sets {
  readonly #above = new Map<number, number>();

  join(one: number, other: number): void {
    const [a, b] = [this.#top(one), this.#top(other)];
    if (a !== b) this.#above.set(Math.max(a, b), Math.min(a, b));
  }

  areJoined(one: number, other: number): boolean {
    return this.#top(one) === this.#top(other);
  }

  groups(): number[][] {
    const all = new Set([...this.#above].flat());
    const groups = Map.groupBy(all, (seq) => this.#top(seq));
    return [...groups.values()]
      .map((group) => group.toSorted((a, b) => a - b))
      .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  }

  #top(seq: number): number {
    let top = seq;
    for (let next = this.#above.get(top); next !== undefined; next = this.#above.get(top)) top = next;
    // Path compression: chains of thousands would otherwise be walked thousands of times.
    for (let at = seq; at !== top;) {
      const next = this.#above.get(at) ?? top;
      this.#above.set(at, top);
      at = next;
    }
    return top;
  }
}
