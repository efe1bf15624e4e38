import type { SessionSummary, SessionUse, Moment as CapturedMoment } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';
import { TabbedList } from '../ui/tabbed-list.svelte.ts';

export const TABS = ['moments', 'sessions'] as const;
export type Tab = (typeof TABS)[number];

const LIMIT = 500;

/** What was noticed in sessions and what sessions were given, newest first. */
export class SessionsState extends TabbedList<Tab> {
  readonly #call: Call;
  readonly moments = new Resource<CapturedMoment[]>();
  readonly sessions = new Resource<SessionSummary[]>();
  readonly given = new Resource<SessionUse[]>();
  readonly noticed = new Resource<CapturedMoment[]>();
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    super(TABS);
    this.#call = call;
  }

  readonly selectedMoment = $derived(
    this.moments.value?.find(({ id }) => String(id) === this.selectedIn('moments')),
  );
  readonly selectedSession = $derived(
    this.sessions.value?.find(({ session }) => session === this.selectedIn('sessions')),
  );

  async load(): Promise<void> {
    await Promise.all([
      this.moments.load(() => this.#call('capture.moments', { limit: LIMIT })),
      this.sessions.load(() => this.#call('sessions.list', { limit: LIMIT })),
    ]);
    this.selectAmongRows();
    await this.loadDetail();
  }

  /** Dismisses at once on screen; returns the moment, or null when there was nothing to dismiss. */
  async dismiss(): Promise<CapturedMoment | null> {
    const selected = this.selectedMoment;
    const before = this.moments.value;
    if (this.tab !== 'moments' || !selected || !before || selected.state === 'dismissed') return null;
    this.moments.value = before.map((moment) =>
      moment.id === selected.id ? { ...moment, state: 'dismissed' } : moment,
    );
    this.move(1);
    try {
      await this.#call('capture.dismiss', { id: selected.id });
      return selected;
    } catch (error) {
      this.moments.value = before;
      this.select(String(selected.id));
      throw error;
    }
  }

  onEvent({ type }: ClientEvent): void {
    const concerns =
      type === 'capture.moment' ||
      type === 'learning.changed' ||
      type === 'outcomes.changed' ||
      type === 'reconnected';
    if (this.moments.value && concerns) this.#refreshSoon();
  }

  protected keysOf(tab: Tab): string[] {
    return tab === 'moments'
      ? (this.moments.value ?? []).map(({ id }) => String(id))
      : (this.sessions.value ?? []).map(({ session }) => session);
  }

  protected async loadDetail(): Promise<void> {
    const session = this.selectedIn('sessions');
    if (this.tab !== 'sessions' || session === null) return;
    await Promise.all([
      this.given.load(() => this.#call('uses.list', { session, limit: LIMIT })),
      this.noticed.load(() => this.#call('capture.moments', { session, limit: LIMIT })),
    ]);
  }
}
