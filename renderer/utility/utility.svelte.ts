import type { LearningReport, Loop, LoopIteration } from '#contract/loops.ts';
import type { Experience, Review } from '#contract/outcomes.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';
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

/** What outcomes taught: which learnings help, what tasks left behind, how loops of attempts went. */
export class UtilityState extends TabbedList<Tab> {
  readonly #call: Call;
  readonly reviews = new Resource<Review[]>();
  readonly experiences = new Resource<Experience[]>();
  readonly loops = new Resource<Loop[]>();
  readonly report = new Resource<LearningReport>();
  readonly history = new Resource<Review[]>();
  readonly attempts = new Resource<{ loop: Loop; iterations: LoopIteration[] }>();
  readonly #refreshSoon = afterQuiet(200, () => void this.load());

  constructor(call: Call) {
    super(TABS);
    this.#call = call;
  }

  readonly judged = $derived(judgedBy(this.reviews.value ?? []));

  readonly selectedLearning = $derived(this.judged.find(({ id }) => id === this.selectedIn('reviews')));
  readonly selectedExperience = $derived(
    this.experiences.value?.find(({ id }) => id === this.selectedIn('experiences')),
  );
  readonly selectedLoop = $derived(this.loops.value?.find(({ id }) => id === this.selectedIn('loops')));
  readonly selectedAnalysis = $derived(
    this.report.value?.loops.find(({ loopId }) => loopId === this.selectedIn('loops')),
  );

  protected keysOf(tab: Tab): string[] {
    return { reviews: this.judged, experiences: this.experiences.value ?? [], loops: this.loops.value ?? [] }[
      tab
    ].map(({ id }) => id);
  }

  async load(): Promise<void> {
    await Promise.all([
      this.reviews.load(() => this.#call('reviews.list', { limit: MOST })),
      this.experiences.load(() => this.#call('experience.list', { limit: MOST })),
      this.loops.load(() => this.#call('loops.list', { limit: MOST })),
      this.report.load(() => this.#call('reflections.analyze', {})),
    ]);
    this.selectAmongRows();
    await this.loadDetail();
  }

  /** The learning behind what is selected, if it has one. */
  get learningId(): string | null {
    if (this.tab === 'loops') return this.selectedLoop?.learningId ?? null;
    return this.selectedKey;
  }

  async feedback(helped: boolean): Promise<void> {
    const experience = this.selectedExperience;
    if (experience) this.#replace(await this.#call('experience.feedback', { id: experience.id, helped }));
  }

  /** Lets a review count no longer, or again; what is shown follows. */
  async takeBack({ id, undoneAt }: Review): Promise<void> {
    await this.#call('reviews.undo', { id, undone: undoneAt === null });
    await this.load();
  }

  async deprecate(): Promise<Experience | undefined> {
    const experience = this.selectedExperience;
    if (!experience || experience.deprecated) return undefined;
    const changed = await this.#call('experience.deprecate', { id: experience.id });
    this.#replace(changed);
    return changed;
  }

  onEvent({ type }: ClientEvent): void {
    if (this.reviews.value && (type === 'outcomes.changed' || type === 'reconnected')) this.#refreshSoon();
  }

  #replace(changed: Experience): void {
    this.experiences.value = this.experiences.value?.map((experience) =>
      experience.id === changed.id ? changed : experience,
    );
  }

  protected async loadDetail(): Promise<void> {
    const key = this.selectedKey;
    if (key === null) return;
    if (this.tab === 'reviews') await this.history.load(() => this.#call('memories.history', { id: key }));
    if (this.tab === 'loops') await this.attempts.load(() => this.#call('loops.get', { id: key }));
  }
}
