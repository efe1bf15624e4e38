import { untrack } from 'svelte';
import type { Call, Input, Method, Output } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Entry } from './entry.svelte.ts';
import { makesStale } from './invalidation.ts';

const QUIET_MS = 150;
/** While events keep coming, a screen is refreshed at least this often. */
const LONGEST_WAIT_MS = 2_000;
const MOST_ENTRIES = 300;

interface Watcher {
  readonly isStale: boolean;
  invalidate(event: ClientEvent): void;
  refetch(): Promise<void>;
  clear(): void;
}

/** The part of an answer that a component shows. */
export interface Shown<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
}

/** The answer to a screen's last question to one method. The one before it stays until the next arrives. */
export class Resource<M extends Method> implements Shown<Output<M>>, Watcher {
  readonly #queries: Queries;
  readonly #scope: Scope;
  readonly #method: M;
  readonly #onAnswer: () => void;
  #entry = $state.raw<Entry<M>>();
  #before = $state.raw<Output<M>>();
  #unwatch: () => void = () => {};

  constructor(queries: Queries, scope: Scope, method: M, onAnswer: () => void) {
    this.#queries = queries;
    this.#scope = scope;
    this.#method = method;
    this.#onAnswer = onAnswer;
  }

  get value(): Output<M> | undefined {
    return this.#entry && (this.#entry.overlay.value ?? this.#before);
  }

  get error(): Error | undefined {
    return this.#entry?.error;
  }

  get loading(): boolean {
    return this.#entry?.loading ?? false;
  }

  get isStale(): boolean {
    return this.#entry?.isStale ?? false;
  }

  /** Shows the kept answer, if there is one, and asks again. */
  async ask(input: Input<M>): Promise<void> {
    this.show(input);
    await untrack(() => this.#entry)?.ask();
  }

  /** Asks about another thing than before: the answer about that one is not shown meanwhile. */
  async open(input: Input<M>): Promise<void> {
    this.clear();
    await this.ask(input);
  }

  /** Shows the kept answer without asking. */
  show(input: Input<M>): void {
    untrack(() => {
      const entry = this.#queries.entry(this.#method, input);
      if (entry === this.#entry) return;
      this.#before = this.value;
      this.#unwatch();
      this.#entry = entry;
      this.#unwatch = entry.onAnswer(this.#onAnswer);
    });
  }

  /** Asks again, because something was just changed: an answer under way may not know of it. */
  async refetch(): Promise<void> {
    const entry = untrack(() => this.#entry);
    if (!entry) return;
    entry.isStale = true;
    await entry.ask();
  }

  /** The same after a pause, with the rest of the screen. */
  refetchSoon(): void {
    if (this.#entry) this.#entry.isStale = true;
    this.#scope.refetchSoon();
  }

  clear(): void {
    this.#unwatch();
    this.#unwatch = () => {};
    this.#entry = undefined;
    this.#before = undefined;
  }

  /** Shows a change at once; takes it off again when the daemon refuses. */
  async change<R>(apply: (value: Output<M>) => Output<M>, work: () => Promise<R>): Promise<R> {
    const entry = this.#entry;
    if (!entry) return work();
    const result = await entry.overlay.change(apply, work);
    entry.isStale = true;
    this.#scope.refetchSoon();
    return result;
  }

  /** Shows what the daemon confirmed in another reply. */
  put(apply: (value: Output<M>) => Output<M>): void {
    this.#entry?.overlay.put(apply);
  }

  invalidate(): void {
    // Entries are marked in the cache, for all who show them.
  }
}

/** A list that loads itself page by page; `invalidate` marks it as stale. */
class Listing implements Watcher {
  readonly #method: Method;
  readonly #reload: () => Promise<void>;
  isStale = false;

  constructor(method: Method, reload: () => Promise<void>) {
    this.#method = method;
    this.#reload = reload;
  }

  invalidate(event: ClientEvent): void {
    this.isStale ||= makesStale(event, this.#method, {});
  }

  async refetch(): Promise<void> {
    this.isStale = false;
    await this.#reload();
  }

  clear(): void {
    this.isStale = false;
  }
}

/** All that one screen shows. While it is hidden nothing is asked for; once it is shown again, what is stale is. */
export class Scope {
  readonly #queries: Queries;
  readonly #name: string;
  readonly #watchers: Watcher[] = [];
  readonly #eventListeners: ((event: ClientEvent) => void)[] = [];
  readonly refetchSoon: () => void;

  constructor(queries: Queries, name: string, quietMs: number) {
    this.#queries = queries;
    this.#name = name;
    this.refetchSoon = afterQuiet(quietMs, () => this.refetchStale(), LONGEST_WAIT_MS);
  }

  get call(): Call {
    return this.#queries.call;
  }

  get isShown(): boolean {
    return this.#queries.isShown(this.#name);
  }

  resource<M extends Method>(method: M, onAnswer: () => void = () => {}): Resource<M> {
    const resource = new Resource(this.#queries, this, method, onAnswer);
    this.#watchers.push(resource);
    return resource;
  }

  listing(method: Method, reload: () => Promise<void>): void {
    this.#watchers.push(new Listing(method, reload));
  }

  onEvent(listener: (event: ClientEvent) => void): void {
    this.#eventListeners.push(listener);
  }

  receive(event: ClientEvent): void {
    for (const listener of this.#eventListeners) listener(event);
    for (const watcher of this.#watchers) watcher.invalidate(event);
    if (this.#watchers.some(({ isStale }) => isStale)) this.refetchSoon();
  }

  refetchStale(): void {
    if (!this.isShown) return;
    for (const watcher of this.#watchers) if (watcher.isStale) void watcher.refetch();
  }

  /** For a scope that ends before the window does. */
  end(): void {
    this.#queries.drop(this);
    for (const watcher of this.#watchers) watcher.clear();
  }
}

/** Every question the window asks, kept by method and input, and made stale by the daemon's events. */
export class Queries {
  readonly call: Call;
  // Nothing on screen depends on which entries there are, only on what is in them.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #entries = new Map<string, Entry<Method>>();
  #scopes: readonly Scope[] = [];
  #shown: readonly string[] | null = null;

  constructor(call: Call) {
    this.call = call;
  }

  /** A part of the window that is shown and hidden as one; `quietMs` is the pause it waits for after an event. */
  scope(name: string, quietMs = QUIET_MS): Scope {
    const scope = new Scope(this, name, quietMs);
    this.#scopes = [...this.#scopes, scope];
    return scope;
  }

  drop(scope: Scope): void {
    this.#scopes = this.#scopes.filter((other) => other !== scope);
  }

  /** The scopes on screen now. Until this is first called, all are. */
  show(...names: string[]): void {
    this.#shown = names;
    for (const scope of this.#scopes) scope.refetchStale();
  }

  isShown(name: string): boolean {
    return this.#shown?.includes(name) ?? true;
  }

  entry<M extends Method>(method: M, input: Input<M>): Entry<M> {
    const key = keyOf(method, input);
    const known = this.#entries.get(key);
    // The key begins with the method, so what is found under it is an entry of that method.
    if (known) return known as unknown as Entry<M>;
    const entry = new Entry(this.call, method, input);
    this.#forgetOldest();
    this.#entries.set(key, entry);
    return entry;
  }

  /** The answer itself, for code that decides before it shows. */
  async fetch<M extends Method>(method: M, input: Input<M>): Promise<Output<M>> {
    const entry = this.entry(method, input);
    await entry.ask();
    if (entry.error) throw entry.error;
    return entry.overlay.value as Output<M>; // an entry without an error has an answer
  }

  onEvent(event: ClientEvent): void {
    for (const entry of this.#entries.values())
      if (makesStale(event, entry.method, entry.input)) entry.isStale = true;
    for (const scope of this.#scopes) scope.receive(event);
  }

  #forgetOldest(): void {
    if (this.#entries.size < MOST_ENTRIES) return;
    for (const [key, entry] of this.#entries) {
      if (entry.isWatched) continue;
      this.#entries.delete(key);
      return;
    }
  }
}

/** The same whatever order the fields were written in. */
function keyOf(method: Method, input: object): string {
  const fields = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${method} ${JSON.stringify(fields)}`;
}
