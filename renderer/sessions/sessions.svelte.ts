import type { Moment } from '#contract/capture.ts';
import type { SessionSummary } from '#contract/sessions.ts';
import type { Route } from '../frame/route.ts';
import { doReversibly, type Reversal } from '../frame/undo.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { EVERY_SESSION, filterSessions, type SessionFilter } from './filter.ts';

const LIMIT = 500;

/** The sessions of all agents, latest first; of the selected one, its moments and its injected learnings. */
export class SessionsState {
  readonly #scope: Scope;
  readonly sessions: Resource<'sessions.list'>;
  readonly uses: Resource<'uses.list'>;
  readonly moments: Resource<'capture.moments'>;
  readonly troubles: Resource<'capture.troubles'>;
  filter = $state.raw<SessionFilter>(EVERY_SESSION);
  selectedId = $state<string | null>(null);
  /** The moment that the keys keep or dismiss. */
  #momentId = $state<number | null>(null);
  /** A link may ask for the moment that a learning came from. */
  #wantedLearning: string | null = null;

  constructor(queries: Queries) {
    this.#scope = queries.scope('sessions');
    this.sessions = this.#scope.resource('sessions.list', () => this.#selectAmongRows());
    this.uses = this.#scope.resource('uses.list');
    this.moments = this.#scope.resource('capture.moments', () => this.#findWanted());
    this.troubles = this.#scope.resource('capture.troubles');
  }

  readonly place = {
    shown: () => (this.selectedId === null ? null : { id: this.selectedId }),
    open: ({ id, query }: Route) => {
      if (id === null) return;
      this.#wantedLearning = query['learning'] ?? null;
      this.select(id);
    },
  };

  get rows(): SessionSummary[] {
    return filterSessions(this.sessions.value ?? [], this.filter);
  }

  get selected(): SessionSummary | undefined {
    return this.sessions.value?.find(({ session }) => session === this.selectedId);
  }

  /** The moment chosen last, or else the first that waits for a decision. */
  get moment(): Moment | undefined {
    const moments = this.moments.value ?? [];
    return (
      moments.find(({ id }) => id === this.#momentId) ??
      moments.find(({ state }) => state === 'candidate') ??
      moments[0]
    );
  }

  get hasMoments(): boolean {
    return this.#offers(
      () => true,
      ({ moments }) => moments > 0,
    );
  }

  get canOpen(): boolean {
    return this.#offers(
      ({ learningId }) => learningId !== null,
      ({ kept, candidates }) => kept + candidates > 0,
    );
  }

  get canKeep(): boolean {
    return this.#offers(
      ({ state }) => state === 'candidate',
      ({ candidates }) => candidates > 0,
    );
  }

  get canDismiss(): boolean {
    return this.#offers(
      ({ state }) => state !== 'dismissed',
      ({ moments }) => moments > 0,
    );
  }

  /** Asks about the current moment; while that loads, about its session, which the list knows. */
  #offers(moment: (moment: Moment) => boolean, session: (session: SessionSummary) => boolean): boolean {
    if (this.moments.value) return this.moment !== undefined && moment(this.moment);
    return this.selected !== undefined && session(this.selected);
  }

  /** The moment a key is about, waited for while it loads; undefined if another session was opened meanwhile. */
  async loadedMoment(): Promise<Moment | undefined> {
    const session = this.selectedId;
    if (session !== null && !this.moments.value) await this.moments.ask({ session, limit: LIMIT });
    return this.selectedId === session ? this.moment : undefined;
  }

  async load(): Promise<void> {
    await this.sessions.ask({ limit: LIMIT });
    await this.#loadDetail();
  }

  narrow(change: Partial<SessionFilter>): void {
    this.filter = { ...this.filter, ...change };
    const { rows } = this;
    if (rows[0] && !rows.some(({ session }) => session === this.selectedId)) this.select(rows[0].session);
  }

  select(session: string): void {
    if (session !== this.selectedId) this.#momentId = null;
    this.selectedId = session;
    void this.#loadDetail();
  }

  move(step: number): void {
    const { rows } = this;
    const index = rows.findIndex(({ session }) => session === this.selectedId) + step;
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row) this.select(row.session);
  }

  selectMoment(id: number): void {
    this.#momentId = id;
  }

  async moveMoment(step: number): Promise<void> {
    const current = await this.loadedMoment();
    const moments = this.moments.value ?? [];
    const index = moments.findIndex(({ id }) => id === current?.id) + step;
    const next = moments[Math.min(moments.length - 1, Math.max(0, index))];
    if (next) this.#momentId = next.id;
  }

  /** Dismisses at once on screen; returns the moment and the way back, or null when there was nothing to dismiss. */
  async dismiss(chosen?: Moment): Promise<{ moment: Moment; undo: Reversal } | null> {
    const moment = chosen ?? (await this.loadedMoment());
    if (!moment || moment.state === 'dismissed') return null;
    const { id, state } = moment;
    const { call } = this.#scope;
    const undo = await doReversibly(
      () => this.#settle(moment, 'dismissed', () => call('capture.dismiss', { id })),
      () => this.#settle(moment, state, () => call('capture.dismiss', { id, dismissed: false })),
    );
    return { moment, undo };
  }

  /** Keeps the note of a moment, if it is a candidate; returns the change, to undo it. */
  async keep(chosen?: Moment): Promise<number | null> {
    const moment = chosen ?? (await this.loadedMoment());
    if (moment?.state !== 'candidate' || !moment.learningId) return null;
    const ids = [moment.learningId];
    const { changeId } = await this.#settle(moment, 'kept', () =>
      this.#scope.call('candidates.keep', { ids }),
    );
    return changeId;
  }

  async #settle<T>({ id }: Moment, state: Moment['state'], work: () => Promise<T>): Promise<T> {
    const settling = this.moments.change(
      (moments) => moments.map((moment) => (moment.id === id ? { ...moment, state } : moment)),
      work,
    );
    // The next one that waits takes its place, so that a key can be pressed again and again.
    this.#momentId = this.moments.value?.find((moment) => moment.state === 'candidate')?.id ?? id;
    try {
      return await settling;
    } catch (error) {
      this.#momentId = id;
      throw error;
    }
  }

  #selectAmongRows(): void {
    const { rows } = this;
    if (this.selectedId !== null || !rows[0]) return;
    this.select(rows[0].session);
  }

  #findWanted(): void {
    const wanted = this.#wantedLearning;
    const found = this.moments.value?.find(({ learningId }) => wanted !== null && learningId === wanted);
    if (!found) return;
    this.#wantedLearning = null;
    this.#momentId = found.id;
  }

  async #loadDetail(): Promise<void> {
    const session = this.selectedId;
    if (session === null) return;
    await Promise.all([
      this.uses.open({ session, limit: LIMIT }),
      this.moments.open({ session, limit: LIMIT }),
      this.troubles.open({ session }),
    ]);
  }
}
