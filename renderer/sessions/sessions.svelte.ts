import type { Window as CapturedWindow } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';

const LIMIT = 500;

/** The stream of captured moments, newest first. */
export class SessionsState {
  readonly #call: Call;
  readonly windows = new Resource<CapturedWindow[]>();
  session = $state('');
  selectedKey = $state<string | null>(null);
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
  }

  /** Sessions to choose from, by their newest moment. */
  readonly sessions = $derived((this.windows.value ?? []).map(({ session }) => session).filter((session, index, all) => session !== '' && all.indexOf(session) === index));
  readonly shown = $derived((this.windows.value ?? []).filter(({ session }) => this.session === '' || session === this.session));

  get selected(): CapturedWindow | undefined {
    return this.shown.find(({ id }) => String(id) === this.selectedKey);
  }

  async load(): Promise<void> {
    await this.windows.load(() => this.#call('capture.windows', { limit: LIMIT }));
    if (!this.selected) this.selectedKey = keyOf(this.shown[0]);
  }

  choose(session: string): void {
    this.session = session;
    if (!this.selected) this.selectedKey = keyOf(this.shown[0]);
  }

  move(step: number): void {
    const index = this.shown.findIndex(({ id }) => String(id) === this.selectedKey) + step;
    this.selectedKey = keyOf(this.shown[Math.min(this.shown.length - 1, Math.max(0, index))]);
  }

  /** Dismisses at once on screen; returns the moment, or null when there was nothing to dismiss. */
  async dismiss(): Promise<CapturedWindow | null> {
    const { selected } = this;
    const before = this.windows.value;
    if (!selected || !before || selected.state === 'dismissed') return null;
    this.windows.value = before.map((window) => (window.id === selected.id ? { ...window, state: 'dismissed' } : window));
    this.move(1);
    try {
      await this.#call('capture.dismiss', { id: selected.id });
      return selected;
    } catch (error) {
      this.windows.value = before;
      this.selectedKey = keyOf(selected);
      throw error;
    }
  }

  onEvent({ type }: ClientEvent): void {
    if (this.windows.value && (type === 'capture.window' || type === 'learning.changed' || type === 'reconnected')) this.#refreshSoon();
  }
}

const keyOf = (window: CapturedWindow | undefined): string | null => (window ? String(window.id) : null);
