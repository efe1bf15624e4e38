import type { Gap, LearningRow, MergeQuestion } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { strings } from '../strings.ts';
import { afterQuiet } from '../ui/delay.ts';
import { startOfDay } from '../ui/format.ts';
import { Resource } from '../ui/resource.svelte.ts';
import { type Choice, type Choices, editedNote, type Edits, firstChoices, type MergedField } from './merge-choice.ts';

export type Decision =
  | { kind: 'merge'; key: string; question: MergeQuestion }
  | { kind: 'problem'; key: string; row: LearningRow }
  | { kind: 'gap'; key: string; gap: Gap };

export type MergeAction = 'merge' | 'keep-both' | 'dismiss' | 'replace';

type Waiting = { questions: MergeQuestion[]; problems: LearningRow[]; gaps: Gap[]; capturedToday: number };

const SCAN_PAGE = 500;
const SCAN_PAGES = 20;

/** Everything that waits for a person, as one queue. */
export class InboxState {
  readonly #call: Call;
  readonly waiting = new Resource<Waiting>();
  selectedKey = $state<string | null>(null);
  choices = $state.raw<Choices>({});
  edits = $state.raw<Edits>({});
  /** The field the number keys choose for. */
  field = $state<MergedField | null>(null);
  #choicesFor = '';
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
  }

  readonly groups = $derived.by(() => {
    const { questions = [], problems = [], gaps = [] } = this.waiting.value ?? {};
    const decide = (kind: MergeQuestion['kind']): Decision[] =>
      questions.filter((question) => question.kind === kind).toSorted((a, b) => a.at - b.at).map((question) => ({ kind: 'merge', key: `merge-${question.id}`, question }));
    const groups: { title: string; items: Decision[] }[] = [
      { title: strings.inbox.merges, items: decide('twin') },
      { title: strings.inbox.contradictions, items: decide('contradiction') },
      { title: strings.inbox.problems, items: problems.map((row) => ({ kind: 'problem', key: `problem-${row.id}`, row })) },
      { title: strings.inbox.gaps, items: gaps.map((gap) => ({ kind: 'gap', key: `gap-${gap.project}-${gap.query}`.replaceAll(/\s/g, '-'), gap })) },
    ];
    return groups.filter(({ items }) => items.length > 0);
  });

  get decisions(): Decision[] {
    return this.groups.flatMap(({ items }) => items);
  }

  get selected(): Decision | undefined {
    return this.decisions.find(({ key }) => key === this.selectedKey);
  }

  async load(): Promise<void> {
    await this.waiting.load(async () => {
      const [questions, gaps, problems, windows] = await Promise.all([
        this.#call('merges.list', {}),
        this.#call('gaps.list', {}),
        this.#brokenRows(),
        this.#call('capture.windows', { limit: 500 }),
      ]);
      const today = startOfDay(Date.now());
      const capturedToday = windows.filter(({ at, state }) => at >= today && state !== 'dismissed').length;
      return { questions: questions.filter(({ state }) => state === 'open'), gaps, problems, capturedToday };
    });
    if (!this.selected) this.select(this.decisions[0]?.key ?? null);
  }

  select(key: string | null): void {
    this.selectedKey = key;
    const { selected } = this;
    if (selected?.kind !== 'merge' || this.#choicesFor === key) return;
    this.#choicesFor = selected.key;
    this.choices = firstChoices(selected.question.existing, selected.question.incoming);
    this.edits = {};
    this.field = null;
  }

  move(step: number): void {
    const { decisions } = this;
    const index = decisions.findIndex(({ key }) => key === this.selectedKey) + step;
    this.select(decisions[Math.min(decisions.length - 1, Math.max(0, index))]?.key ?? null);
  }

  choose(field: MergedField, choice: Choice): void {
    this.choices = { ...this.choices, [field]: choice };
    // Choosing anew drops what was typed over the last choice.
    this.edits = Object.fromEntries(Object.entries(this.edits).filter(([edited]) => edited !== field));
    this.field = field;
  }

  edit(field: MergedField, text: string): void {
    this.edits = { ...this.edits, [field]: text };
  }

  /** Answers the selected question: gone at once on screen, back if the daemon refuses. */
  async resolve(action: MergeAction): Promise<{ question: MergeQuestion; changeId: number } | null> {
    const { selected } = this;
    const before = this.waiting.value;
    if (selected?.kind !== 'merge' || !before) return null;
    const { question } = selected;
    const merged = action === 'merge' ? { merged: editedNote(question.existing, question.incoming, this.choices, this.edits) } : {};

    const index = this.decisions.findIndex(({ key }) => key === selected.key);
    this.waiting.value = { ...before, questions: before.questions.filter(({ id }) => id !== question.id) };
    this.select((this.decisions[index] ?? this.decisions.at(-1))?.key ?? null);
    try {
      const { changeId } = await this.#call('merges.resolve', { id: question.id, action, ...merged });
      return { question, changeId };
    } catch (error) {
      this.waiting.value = before;
      this.select(selected.key);
      throw error;
    }
  }

  onEvent({ type }: ClientEvent): void {
    if (this.waiting.value && (type === 'inbox.changed' || type === 'learning.changed' || type === 'reconnected')) this.#refreshSoon();
  }

  /** The contract has no filter for broken files, so rows are read until as many are found as the status counts. */
  async #brokenRows(): Promise<LearningRow[]> {
    const { documentProblems } = await this.#call('status', {});
    const found: LearningRow[] = [];
    for (let page = 0; page < SCAN_PAGES && found.length < documentProblems; page++) {
      const { items } = await this.#call('learnings.list', { offset: page * SCAN_PAGE, limit: SCAN_PAGE });
      found.push(...items.filter(({ documentProblem }) => documentProblem !== null));
      if (items.length < SCAN_PAGE) break;
    }
    return found;
  }
}
