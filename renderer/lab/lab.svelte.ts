import * as z from 'zod';
import type { KnobState } from '#contract/settings.ts';
import type { Input, Output } from '#contract/methods.ts';
import { type Drafts, fieldDrafts } from '../drafts.svelte.ts';
import type { Queries, Resource } from '../query/queries.svelte.ts';
import { afterQuiet } from '../ui/delay.ts';

export type Answer = Output<'recall.explain'>;
type LabTab = 'answer' | 'step' | 'why' | 'block';
export type Knobs = Record<string, unknown>;

export const labDrafts = fieldDrafts('lab');

const SharedKnobs = z.record(z.string().max(100), z.union([z.boolean(), z.number(), z.string().max(500)]));

/** The part of the lab kept in the address: the question, its project, and the settings of the second lane. */
export interface Shared {
  query: string;
  project: string;
  allBranches: boolean;
  knobs: Knobs;
}

export function readShared(query: Readonly<Record<string, string>>): Shared {
  return {
    query: query['q'] ?? '',
    project: query['project'] ?? '',
    allBranches: query['branches'] === 'all',
    knobs: knobsIn(query['knobs']),
  };
}

/** An address may come from anywhere; what it says about knobs is taken only as plain values. */
function knobsIn(text: string | undefined): Knobs {
  try {
    return SharedKnobs.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** One question, asked again whenever it or its scope changes; a second time with other knobs, to compare. */
export class LabState {
  readonly #drafts: Drafts;
  readonly first: Resource<'recall.explain'>;
  readonly second: Resource<'recall.explain'>;
  readonly block: Resource<'recall.inject'>;
  readonly projects: Resource<'projects.list'>;
  readonly config: Resource<'config.list'>;
  query = $state('');
  project = $state('');
  allBranches = $state(false);
  /** The settings that differ in the second lane; empty without one. */
  knobs = $state.raw<Knobs>({});
  tab = $state<LabTab>('answer');
  /** The step and the candidate that are looked at. */
  step = $state(0);
  candidate = $state<string | null>(null);
  readonly #askSoon = afterQuiet(180, () => void this.ask());

  constructor(queries: Queries, drafts: Drafts) {
    this.#drafts = drafts;
    const scope = queries.scope('lab');
    this.first = scope.resource('recall.explain');
    this.second = scope.resource('recall.explain');
    this.block = scope.resource('recall.inject');
    this.projects = scope.resource('projects.list');
    this.config = scope.resource('config.list');
  }

  get compares(): boolean {
    return Object.keys(this.knobs).length > 0;
  }

  get shared(): Record<string, string> {
    const { query, project, allBranches, knobs, compares } = this;
    return {
      ...(query.trim() === '' ? {} : { q: query }),
      ...(project === '' ? {} : { project }),
      ...(allBranches ? { branches: 'all' } : {}),
      ...(compares ? { knobs: JSON.stringify(knobs) } : {}),
    };
  }

  async prepare(): Promise<void> {
    await Promise.all([this.projects.ask({}), this.config.ask({})]);
  }

  /** Takes over what an address says, if it says anything new. */
  open(shared: Shared): void {
    if (
      shared.query === '' ||
      JSON.stringify(shared) ===
        JSON.stringify({
          query: this.query,
          project: this.project,
          allBranches: this.allBranches,
          knobs: this.knobs,
        })
    )
      return;
    Object.assign(this, shared);
    void this.ask();
  }

  type(query: string): void {
    this.query = query;
    this.#askSoon();
  }

  /** The knobs of a port, its switch first. */
  knobsOf(port: string): KnobState[] {
    return (this.config.value ?? []).filter((knob) => knob.port === port);
  }

  switchOf(port: string): KnobState | undefined {
    const [first] = this.knobsOf(port);
    return first?.type === 'flag' ? first : undefined;
  }

  valueInSecond(knob: KnobState): unknown {
    return Object.hasOwn(this.knobs, knob.name) ? this.knobs[knob.name] : knob.value;
  }

  /** Gives a knob another value in the second lane; its own value takes it out again. */
  turn(knob: KnobState, value: unknown): void {
    const others = Object.fromEntries(Object.entries(this.knobs).filter(([name]) => name !== knob.name));
    this.#drafts.discard(labDrafts, knob.name);
    this.knobs = value === knob.value ? others : { ...others, [knob.name]: value };
    void this.#askSecond();
    if (this.tab === 'block') void this.loadBlock();
  }

  toggle(port: string): void {
    const knob = this.switchOf(port);
    if (knob) this.turn(knob, this.valueInSecond(knob) !== true);
  }

  endComparing(): void {
    this.knobs = {};
    this.second.clear();
  }

  moveStep(by: number): void {
    const last = (this.first.value?.trace?.length ?? 1) - 1;
    this.step = Math.min(last, Math.max(0, this.step + by));
    this.tab = 'step';
  }

  lookAt(candidate: string): void {
    this.candidate = candidate;
    this.tab = 'why';
  }

  showTab(tab: LabTab): void {
    this.tab = tab;
    if (tab === 'block') void this.loadBlock();
  }

  async ask(): Promise<void> {
    if (this.query.trim() === '') {
      this.first.clear();
      this.second.clear();
      this.block.clear();
      return;
    }
    await Promise.all([
      this.first.ask(this.#question({})),
      this.#askSecond(),
      this.tab === 'block' ? this.loadBlock() : undefined,
    ]);
  }

  /** The block of a session in the chosen project, else in the one that knows most. */
  async loadBlock(): Promise<void> {
    const query = this.query.trim();
    const { id, root } = this.blockProject ?? { root: '/' };
    const where = id === undefined ? { cwd: root } : { cwd: root, project: id };
    if (query !== '') await this.block.ask({ ...where, query, knobs: this.knobs });
  }

  get blockProject(): Output<'projects.list'>[number] | undefined {
    const known = this.projects.value ?? [];
    return (
      known.find(({ id }) => id === this.project) ?? known.toSorted((a, b) => b.learnings - a.learnings)[0]
    );
  }

  async #askSecond(): Promise<void> {
    if (!this.compares || this.query.trim() === '') this.second.clear();
    else await this.second.ask(this.#question(this.knobs));
  }

  #question(knobs: Knobs): Input<'recall.explain'> {
    const { query, project, allBranches } = this;
    // A cached answer would not show how it was found.
    return {
      query: query.trim(),
      allBranches,
      knobs: { RECALL_CACHE: false, ...knobs },
      ...(project === '' ? { global: true } : { project }),
    };
  }
}
