import type { Experience, Review } from '#contract/outcomes.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { TabbedList } from '../ui/tabbed-list.svelte.ts';

export const TABS = ['reviews', 'experiences', 'loops'] as const;
export type Tab = (typeof TABS)[number];

export const MOST = 500;

/** A learning with all that judged it, oldest first. */
export interface Judged {
  id: string;
  title: string;
  reviews: Review[];
  q: number;
  wins: number;
  losses: number;
  lastAt: number;
}

/** Reviews by their learning; what moved last comes first. */
export function judgedBy(newestFirst: readonly Review[]): Judged[] {
  const judged = [...Map.groupBy(newestFirst, ({ learningId }) => learningId).values()].flatMap(
    (group): Judged[] => {
      const [newest] = group;
      const reviews = group.toReversed();
      if (!newest) return [];
      const counted = reviews.filter(({ undoneAt }) => undoneAt === null);
      const wins = counted.filter(({ result }) => result === 'pass').length;
      return [
        {
          id: newest.learningId,
          title: newest.title,
          reviews,
          q: newest.qAfter,
          wins,
          losses: counted.length - wins,
          lastAt: newest.at,
        },
      ];
    },
  );
  return judged.toSorted((a, b) => b.lastAt - a.lastAt);
}

/** Utility as it went: where it stood before the first review, and after each. */
export const curveOf = (reviews: readonly Review[]): number[] =>
  reviews[0] ? [reviews[0].qBefore, ...reviews.map(({ qAfter }) => qAfter)] : [];

/** Lessons from outcomes: which learnings help, experiences from tasks, and loops of attempts. */
export class UtilityState extends TabbedList<Tab> {
  readonly #scope: Scope;
  readonly reviews: Resource<'reviews.list'>;
  readonly experiences: Resource<'experience.list'>;
  readonly loops: Resource<'loops.list'>;
  readonly report: Resource<'reflections.analyze'>;
  readonly history: Resource<'memories.history'>;
  readonly attempts: Resource<'loops.get'>;

  constructor(queries: Queries) {
    super(TABS);
    this.#scope = queries.scope('utility');
    const selectAmongRows = () => this.selectAmongRows();
    this.reviews = this.#scope.resource('reviews.list', selectAmongRows);
    this.experiences = this.#scope.resource('experience.list', selectAmongRows);
    this.loops = this.#scope.resource('loops.list', selectAmongRows);
    this.report = this.#scope.resource('reflections.analyze');
    this.history = this.#scope.resource('memories.history');
    this.attempts = this.#scope.resource('loops.get');
  }

  readonly judged = $derived.by(() => judgedBy(this.reviews.value ?? []));

  readonly selectedLearning = $derived(this.judged.find(({ id }) => id === this.selectedIn('reviews')));
  readonly selectedExperience = $derived.by(() =>
    this.experiences.value?.find(({ id }) => id === this.selectedIn('experiences')),
  );
  readonly selectedLoop = $derived.by(() =>
    this.loops.value?.find(({ id }) => id === this.selectedIn('loops')),
  );
  readonly selectedAnalysis = $derived.by(() =>
    this.report.value?.loops.find(({ loopId }) => loopId === this.selectedIn('loops')),
  );

  protected keysOf(tab: Tab): string[] | undefined {
    const rows = {
      reviews: this.reviews.value && this.judged,
      experiences: this.experiences.value,
      loops: this.loops.value,
    }[tab];
    return rows?.map(({ id }) => id);
  }

  async load(): Promise<void> {
    await Promise.all([
      this.reviews.ask({ limit: MOST }),
      this.experiences.ask({ limit: MOST }),
      this.loops.ask({ limit: MOST }),
      this.report.ask({}),
    ]);
    await this.loadDetail();
  }

  /** The learning behind what is selected, if it has one. */
  get learningId(): string | null {
    if (this.tab === 'loops') return this.selectedLoop?.learningId ?? null;
    return this.selectedKey;
  }

  async feedback(helped: boolean): Promise<void> {
    const experience = this.selectedExperience;
    if (experience)
      this.#replace(await this.#scope.call('experience.feedback', { id: experience.id, helped }));
  }

  /** Makes a review count no longer, or again. */
  async toggleReview({ id, undoneAt }: Review): Promise<void> {
    await this.#scope.call('reviews.undo', { id, undone: undoneAt === null });
    await Promise.all([this.reviews.refetch(), this.history.refetch()]);
  }

  async deprecate(): Promise<Experience | undefined> {
    const experience = this.selectedExperience;
    if (!experience || experience.deprecated) return undefined;
    const changed = await this.#scope.call('experience.deprecate', { id: experience.id });
    this.#replace(changed);
    return changed;
  }

  #replace(changed: Experience): void {
    this.experiences.put((experiences) =>
      experiences.map((experience) => (experience.id === changed.id ? changed : experience)),
    );
  }

  protected async loadDetail(): Promise<void> {
    const key = this.selectedKey;
    if (key === null) return;
    if (this.tab === 'reviews') await this.history.open({ id: key });
    if (this.tab === 'loops') await this.attempts.open({ id: key });
  }
}
