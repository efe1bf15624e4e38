/** A page of lists, one a tab: each keeps what is selected in it, and the first is while nothing is. */
export abstract class TabbedList<Tab extends string> {
  readonly #tabs: readonly [Tab, ...Tab[]];
  readonly #selected = $state<Partial<Record<Tab, string>>>({});
  tab: Tab = $state() as Tab;

  constructor(tabs: readonly [Tab, ...Tab[]]) {
    this.#tabs = tabs;
    this.tab = tabs[0];
  }

  /** The keys of a tab's rows, in their order. */
  protected abstract keysOf(tab: Tab): string[];
  /** Reads what is shown beside the list, of what is selected in the open tab. */
  protected abstract loadDetail(): Promise<void>;

  selectedIn(tab: Tab): string | null {
    return this.#selected[tab] ?? null;
  }

  get selectedKey(): string | null {
    return this.selectedIn(this.tab);
  }

  /** Rows have come or gone: what is selected is among them. */
  protected selectAmongRows(): void {
    for (const tab of this.#tabs) {
      const keys = this.keysOf(tab);
      const selected = this.#selected[tab];
      if (selected !== undefined && keys.includes(selected)) continue;
      if (keys[0] === undefined) delete this.#selected[tab];
      else this.#selected[tab] = keys[0];
    }
  }

  show(tab: Tab): void {
    this.tab = tab;
    void this.loadDetail();
  }

  /** The tab so many further, around the end. */
  turn(step: number): void {
    const next = this.#tabs[(this.#tabs.indexOf(this.tab) + step + this.#tabs.length) % this.#tabs.length];
    if (next) this.show(next);
  }

  select(key: string): void {
    this.#selected[this.tab] = key;
    void this.loadDetail();
  }

  move(step: number): void {
    const keys = this.keysOf(this.tab);
    const key = keys[Math.min(keys.length - 1, Math.max(0, keys.indexOf(this.selectedKey ?? '') + step))];
    if (key !== undefined) this.select(key);
  }
}
