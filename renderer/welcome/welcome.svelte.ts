import * as z from 'zod';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { AgentsState } from '../settings/agents.svelte.ts';
import { remember, remembered } from '../ui/remember.ts';

export const STEPS = ['agents', 'privacy', 'connect', 'writer', 'lessons', 'shortcut'] as const;
export type Step = (typeof STEPS)[number];

const SHOWN = 5;
const SEEN = 'welcomed';

/** The way from an empty home to the first lessons. Every step can be skipped and come back to. */
export class WelcomeState {
  readonly #scope: Scope;
  readonly agents: AgentsState;
  readonly lessons: Resource<'candidates.list'>;
  step = $state<Step>('agents');

  constructor(queries: Queries) {
    this.#scope = queries.scope('welcome');
    this.agents = new AgentsState(this.#scope);
    this.lessons = this.#scope.resource('candidates.list');
  }

  /** True until a person has come to the end or skipped it. */
  get isDue(): boolean {
    return !remembered(SEEN, z.boolean(), false);
  }

  get index(): number {
    return STEPS.indexOf(this.step);
  }

  load(): Promise<void> {
    return this.lessons.ask({ limit: SHOWN });
  }

  /** Goes to the next or the previous step; false at either end. */
  turn(by: 1 | -1): boolean {
    const step = STEPS[this.index + by];
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
