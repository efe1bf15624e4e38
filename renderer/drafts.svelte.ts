import * as z from 'zod';

/** A kind of work that is typed before it is saved, such as the edit of a learning. */
export interface DraftKind<T> {
  name: string;
  /** Drafts come back from the browser's storage, so they are checked. */
  schema: z.ZodType<T>;
  /** A draft nobody has typed into is not kept. */
  isUnsaved(draft: T): boolean;
}

/** The text of a field, from the first key until it is applied. */
export const fieldDrafts = (name: string): DraftKind<{ typed: string; saved: string }> => ({
  name,
  schema: z.object({ typed: z.string(), saved: z.string() }),
  isUnsaved: ({ typed, saved }) => typed !== saved,
});

const STORED_AS = 'reflect.drafts';

/**
 * Typed work by what it edits. It survives navigation, reloading and the end of the window, and ends only by being
 * saved or discarded. Windows share the storage, so each writes only what it has held itself.
 */
export class Drafts {
  readonly #kinds: readonly DraftKind<unknown>[];
  readonly #storage: Storage | undefined;
  readonly #drafts = $state<Record<string, unknown>>({});
  /** Keys of drafts that this window holds or has held. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
  readonly #held = new Set<string>();

  constructor(kinds: readonly DraftKind<unknown>[], storage?: Storage) {
    this.#kinds = kinds;
    this.#storage = storage;
    this.#restore();
  }

  of<T>(kind: DraftKind<T>, id: string): T | undefined {
    return this.#drafts[keyOf(kind, id)] as T | undefined; // what is under a kind's key is of that kind
  }

  set<T>(kind: DraftKind<T>, id: string, draft: T): void {
    this.#held.add(keyOf(kind, id));
    this.#drafts[keyOf(kind, id)] = draft;
  }

  isUnsaved<T>(kind: DraftKind<T>, id: string): boolean {
    const draft = this.of(kind, id);
    return draft !== undefined && kind.isUnsaved(draft);
  }

  /** True when any draft of these kinds holds something unsaved. */
  hasUnsaved(kinds: readonly DraftKind<unknown>[]): boolean {
    return kinds.some((kind) => this.#entriesOf(kind).some(([, draft]) => kind.isUnsaved(draft)));
  }

  /** Returns what was discarded, if it held anything, so that it can be offered back. */
  discard<T>(kind: DraftKind<T>, id: string): T | null {
    const draft = this.of(kind, id);
    const unsaved = draft !== undefined && kind.isUnsaved(draft) ? ($state.snapshot(draft) as T) : null;
    delete this.#drafts[keyOf(kind, id)];
    return unsaved;
  }

  /** To be called when somebody leaves a form: what was typed stays, an untouched form is closed. */
  leave<T>(kind: DraftKind<T>, id: string): void {
    if (!this.isUnsaved(kind, id)) this.discard(kind, id);
  }

  /** Writes what is unsaved to the storage; reactive, so an effect can call it. */
  store(): void {
    const unsaved = this.#kinds.flatMap((kind) =>
      this.#entriesOf(kind).filter(([, draft]) => kind.isUnsaved(draft)),
    );
    const others = Object.entries(this.#read()).filter(([key]) => !this.#held.has(key));
    try {
      this.#storage?.setItem(STORED_AS, JSON.stringify(Object.fromEntries([...others, ...unsaved])));
    } catch {
      // Storage may be full or denied; then drafts last as long as the window.
    }
  }

  #entriesOf(kind: DraftKind<unknown>): [string, unknown][] {
    return Object.entries(this.#drafts).filter(([key]) => key.startsWith(`${kind.name}:`));
  }

  #restore(): void {
    for (const [key, stored] of Object.entries(this.#read())) {
      const kind = this.#kinds.find(({ name }) => key.startsWith(`${name}:`));
      const parsed = kind?.schema.safeParse(stored);
      this.#held.add(key);
      if (parsed?.success) this.#drafts[key] = parsed.data;
    }
  }

  #read(): Record<string, unknown> {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(this.#storage?.getItem(STORED_AS) ?? '{}'));
    } catch {
      return {};
    }
  }
}

const keyOf = ({ name }: DraftKind<unknown>, id: string): string => `${name}:${id}`;
