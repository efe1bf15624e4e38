import type { LearningRow } from '#contract/entities.ts';
import type { Queries, Resource } from '../query/queries.svelte.ts';
import type { Page } from './route.ts';
import { FRAME } from './status.svelte.ts';

export type PaletteEntry = {
  id: string;
  label: string;
  hint: string | undefined;
  page?: Page | undefined;
  run: () => void;
};
export type PaletteGroup = { title: string; entries: PaletteEntry[] };

const FOUND_LIMIT = 6;

/** Every typed word must begin a word of the label, in any order. */
export function matches(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

export class PaletteState {
  readonly #found: Resource<'learnings.list'>;
  shown = $state(false);
  typed = $state('');
  index = $state(0);
  #asking: Promise<void> | undefined;

  constructor(queries: Queries) {
    this.#found = queries.scope(FRAME).resource('learnings.list');
  }

  get found(): LearningRow[] {
    return this.typed.trim() === '' ? [] : (this.#found.value?.items ?? []);
  }

  toggle(): void {
    this.shown = !this.shown;
    this.typed = '';
    this.index = 0;
    this.#found.clear();
  }

  type(typed: string): void {
    this.typed = typed;
    this.index = 0;
    const text = typed.trim();
    if (text === '') this.#found.clear();
    else this.#asking = this.#found.ask({ text, limit: FOUND_LIMIT });
  }

  /** Commands match at once; the learnings that match what is typed arrive a little later. */
  async answered(): Promise<void> {
    await this.#asking;
  }

  move(step: number, count: number): void {
    if (count > 0) this.index = (this.index + step + count) % count;
  }
}
