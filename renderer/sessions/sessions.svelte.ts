import type { Moment as CapturedMoment } from '#contract/capture.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { TabbedList } from '../ui/tabbed-list.svelte.ts';

export const TABS = ['moments', 'sessions'] as const;
export type Tab = (typeof TABS)[number];

const LIMIT = 500;

/** The moments noticed in sessions, and the learnings injected into them, newest first. */
export class SessionsState extends TabbedList<Tab> {
  readonly #scope: Scope;
  readonly moments: Resource<'capture.moments'>;
  readonly sessions: Resource<'sessions.list'>;
  readonly given: Resource<'uses.list'>;
  readonly noticed: Resource<'capture.moments'>;
  readonly troubles: Resource<'capture.troubles'>;

  constructor(queries: Queries) {
    super(TABS);
    this.#scope = queries.scope('sessions');
    this.moments = this.#scope.resource('capture.moments', () => this.selectAmongRows());
    this.sessions = this.#scope.resource('sessions.list', () => this.selectAmongRows());
    this.given = this.#scope.resource('uses.list');
    this.noticed = this.#scope.resource('capture.moments');
    this.troubles = this.#scope.resource('capture.troubles');
  }

  get selectedMoment(): CapturedMoment | undefined {
    return this.moments.value?.find(({ id }) => String(id) === this.selectedIn('moments'));
  }

  get selectedSession() {
    return this.sessions.value?.find(({ session }) => session === this.selectedIn('sessions'));
  }

  async load(): Promise<void> {
    await Promise.all([this.moments.ask({ limit: LIMIT }), this.sessions.ask({ limit: LIMIT })]);
    await this.loadDetail();
  }

  /** Dismisses at once on screen; returns the moment, or null when there was nothing to dismiss. */
  async dismiss(): Promise<CapturedMoment | null> {
    const selected = this.selectedMoment;
    if (this.tab !== 'moments' || !selected || selected.state === 'dismissed') return null;
    const dismissing = this.moments.change(
      (moments) =>
        moments.map((moment) => (moment.id === selected.id ? { ...moment, state: 'dismissed' } : moment)),
      () => this.#scope.call('capture.dismiss', { id: selected.id }),
    );
    this.move(1);
    try {
      await dismissing;
      return selected;
    } catch (error) {
      this.select(String(selected.id));
      throw error;
    }
  }

  /** Keeps the note of the selected moment, if it is a candidate; returns the change, to undo it. */
  async keep(): Promise<number | null> {
    const selected = this.selectedMoment;
    if (this.tab !== 'moments' || selected?.state !== 'candidate' || !selected.learningId) return null;
    const ids = [selected.learningId];
    const { changeId } = await this.moments.change(
      (moments) =>
        moments.map((moment) => (moment.id === selected.id ? { ...moment, state: 'kept' } : moment)),
      () => this.#scope.call('candidates.keep', { ids }),
    );
    return changeId;
  }

  protected keysOf(tab: Tab): string[] | undefined {
    return tab === 'moments'
      ? this.moments.value?.map(({ id }) => String(id))
      : this.sessions.value?.map(({ session }) => session);
  }

  protected async loadDetail(): Promise<void> {
    const session = this.selectedIn('sessions');
    if (this.tab !== 'sessions' || session === null) return;
    await Promise.all([
      this.given.ask({ session, limit: LIMIT }),
      this.noticed.ask({ session, limit: LIMIT }),
      this.troubles.ask({ session }),
    ]);
  }
}
