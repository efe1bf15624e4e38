/** A page of lists, one per tab. Each keeps its own selection; while nothing is selected, the first row is. */
export abstract class TabbedList<Tab extends string> {
  readonly #tabs: readonly [Tab, ...Tab[]];
  readonly #selected = $state<Partial<Record<Tab, string>>>({});
  tab: Tab = $state() as Tab;

  constructor(tabs: readonly [Tab, ...Tab[]]) {
    this.#tabs = tabs;
    this.tab = tabs[0];
  }

  /** The selected row as a link says it, with the tab unless it is the first. */
  readonly place = {
    shown: () => {
      const query: Record<string, string> = this.tab === this.#tabs[0] ? {} : { tab: this.tab };
      return this.selectedKey === null ? null : { id: this.selectedKey, query };
    },
    open: ({ id, query }: { id: string | null; query: Readonly<Record<string, string>> }) => {
      if (id === null) return;
      this.show(this.#tabs.find((tab) => tab === query['tab']) ?? this.#tabs[0]);
      this.select(id);
    },
  };

  /** The keys of a tab's rows, in their order; undefined until they are loaded. */
  protected abstract keysOf(tab: Tab): string[] | undefined;
  /** Loads the detail of the row that is selected in the open tab. */
  protected abstract loadDetail(): Promise<void>;

  selectedIn(tab: Tab): string | null {
    return this.#selected[tab] ?? null;
  }

  get selectedKey(): string | null {
    return this.selectedIn(this.tab);
  }

  /** To be called when rows have come or gone: a row that is gone gives its selection to the first. */
  protected selectAmongRows(): void {
    const before = this.selectedKey;
    for (const tab of this.#tabs) {
      const keys = this.keysOf(tab);
      const selected = this.#selected[tab];
      if (!keys || (selected !== undefined && keys.includes(selected))) continue;
      if (keys[0] === undefined) delete this.#selected[tab];
      else this.#selected[tab] = keys[0];
    }
    if (this.selectedKey !== before) void this.loadDetail();
  }

  show(tab: Tab): void {
    this.tab = tab;
    void this.loadDetail();
  }

  /** Goes so many tabs further, around the end. */
  turn(step: number): void {
    const next = this.#tabs[(this.#tabs.indexOf(this.tab) + step + this.#tabs.length) % this.#tabs.length];
    if (next) this.show(next);
  }

  select(key: string): void {
    this.#selected[this.tab] = key;
    void this.loadDetail();
  }

  move(step: number): void {
    const keys = this.keysOf(this.tab) ?? [];
    const key = keys[Math.min(keys.length - 1, Math.max(0, keys.indexOf(this.selectedKey ?? '') + step))];
    if (key !== undefined) this.select(key);
  }
}
