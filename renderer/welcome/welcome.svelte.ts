import { SvelteSet } from 'svelte/reactivity';
import * as z from 'zod';
import type { Candidate } from '#contract/candidates.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { AgentsState } from '../settings/agents.svelte.ts';
import { remember, remembered } from '../ui/remember.ts';

export const STEPS = ['agents', 'privacy', 'connect', 'writer', 'lessons', 'shortcut'] as const;
export type Step = (typeof STEPS)[number];

const SHOWN = 5;
/** Enough to tell whether a lesson on screen still waits, however many better ones were found since. */
const LOOKED_AT = 100;
const SEEN = 'welcomed';

/** The folders that are read, each once: one may hold sessions of several agents. */
export const foldersOf = (sources: readonly { folder: string }[]): string[] =>
  sources.map(({ folder }) => folder).filter((folder, index, all) => all.indexOf(folder) === index);

/** The way from an empty home to the first lessons. Every step can be skipped and come back to. */
export class WelcomeState {
  readonly #scope: Scope;
  readonly agents: AgentsState;
  readonly lessons: Resource<'candidates.list'>;
  step = $state<Step>('agents');
  /** The steps that a person finished, not those jumped over. */
  readonly done = new SvelteSet<Step>();
  #order = $state.raw<readonly string[]>([]);

  constructor(queries: Queries) {
    this.#scope = queries.scope('welcome');
    this.agents = new AgentsState(this.#scope);
    this.lessons = this.#scope.resource('candidates.list', () => this.#fillUp());
  }

  /** True until a person has come to the end or skipped it. */
  get isDue(): boolean {
    return !remembered(SEEN, z.boolean(), false);
  }

  get index(): number {
    return STEPS.indexOf(this.step);
  }

  load(): Promise<void> {
    return this.lessons.ask({ limit: LOOKED_AT });
  }

  /** The lessons on screen. */
  get rows(): Candidate[] {
    const waiting = this.lessons.value?.items ?? [];
    return this.#order.flatMap((id) => waiting.find((item) => item.id === id) ?? []);
  }

  /** True when a better lesson was found than one on screen. */
  get hasBetter(): boolean {
    return this.#best().some((id) => !this.#order.includes(id));
  }

  showBest(): void {
    this.#order = this.#best();
  }

  #best(): string[] {
    return (this.lessons.value?.items ?? []).slice(0, SHOWN).map(({ id }) => id);
  }

  /** Lessons that are found meanwhile come below: nothing moves under the pointer of someone about to decide. */
  #fillUp(): void {
    const waiting = (this.lessons.value?.items ?? []).map(({ id }) => id);
    const still = this.#order.filter((id) => waiting.includes(id));
    this.#order = [...still, ...waiting.filter((id) => !still.includes(id))].slice(0, SHOWN);
  }

  /** Goes to the next or the previous step; false at either end. */
  turn(by: 1 | -1): boolean {
    const step = STEPS[this.index + by];
    if (by === 1) this.done.add(this.step);
    if (step) this.step = step;
    return step !== undefined;
  }

  leave(): void {
    remember(SEEN, true);
    this.step = 'agents';
  }

  async agree(): Promise<void> {
    await this.#scope.call('capture.agree', {});
  }

  /** Keeps or drops a lesson at once on screen; returns the change, to undo it. */
  async decide(id: string, keeps: boolean): Promise<number | null> {
    const { changeId } = await this.lessons.change(
      ({ items, total, cursor }) => ({
        items: items.filter((item) => item.id !== id),
        total: total - 1,
        cursor,
      }),
      () => this.#scope.call(keeps ? 'candidates.keep' : 'candidates.drop', { ids: [id] }),
    );
    return changeId;
  }
}
