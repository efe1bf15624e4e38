import type { LearningRow } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import { Resource } from '../ui/resource.svelte.ts';

export type Command = { id: string; label: string; hint?: string; run: () => void };
export type CommandGroup = { title: string; commands: Command[] };

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
  readonly #call: Call;
  readonly #found = new Resource<LearningRow[]>();
  shown = $state(false);
  typed = $state('');
  index = $state(0);

  constructor(call: Call) {
    this.#call = call;
  }

  get found(): LearningRow[] {
    return this.typed.trim() === '' ? [] : (this.#found.value ?? []);
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
    else
      void this.#found.load(
        async () => (await this.#call('learnings.list', { text, limit: FOUND_LIMIT })).items,
      );
  }

  move(step: number, count: number): void {
    if (count > 0) this.index = (this.index + step + count) % count;
  }
}
