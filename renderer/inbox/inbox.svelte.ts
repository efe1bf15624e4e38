import { SvelteSet } from 'svelte/reactivity';
import type { Conventions, Inbox, StaleSkill } from '#contract/distill.ts';
import type { Gap, LearningRow, MergeQuestion, Note } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { inboxWords } from './words.ts';
import { afterQuiet } from '../ui/delay.ts';
import { startOfDay } from '../ui/format.ts';
import { Resource } from '../ui/resource.svelte.ts';
import {
  type Choice,
  type Choices,
  differingFields,
  editedNote,
  type Edits,
  firstChoices,
  type MergedField,
} from './merge-choice.ts';

export type NoteReason = keyof Inbox['notes'];
export type Stray = Inbox['strays'][number];

export type Decision =
  | { kind: 'merge'; key: string; question: MergeQuestion }
  | { kind: 'note'; key: string; why: NoteReason; row: LearningRow }
  | { kind: 'stray'; key: string; stray: Stray }
  | { kind: 'skill'; key: string; stale: StaleSkill }
  | { kind: 'conventions'; key: string; conventions: Conventions }
  | { kind: 'gap'; key: string; gap: Gap };

export type MergeAction = 'merge' | 'keep-both' | 'dismiss' | 'replace';
export type NoteAction = 'keep' | 'drop';

/** A decision that was carried out: what to say, and how to take it back. */
export type Decided = { says: string; undo: () => Promise<unknown> };

type Waiting = Inbox & { capturedToday: number };

/** What accepting a note means, by why it waits. */
const KEPT: Record<Exclude<NoteReason, 'broken'>, Partial<Note>> = {
  proposed: { status: 'active' },
  speculative: { speculative: false },
  unvalidated: { validated: true },
};
const NOTHING: Inbox = {
  questions: [],
  notes: { proposed: [], speculative: [], unvalidated: [], broken: [] },
  strays: [],
  skills: [],
  conventions: [],
  gaps: [],
};
const TITLE_LENGTH = 110;

/** Everything that waits for a person, as one queue. */
export class InboxState {
  readonly #call: Call;
  readonly waiting = new Resource<Waiting>();
  selectedKey = $state<string | null>(null);
  choices = $state.raw<Choices>({});
  edits = $state.raw<Edits>({});
  /** The field the keys choose for. */
  field = $state<MergedField | null>(null);
  /** The answer to a gap, while it is being written. */
  answer = $state<string | null>(null);
  #choicesFor = '';
  /** Decided on screen, while the daemon's list may still have them. */
  readonly #decided = new SvelteSet<string>();
  /** Of those, the ones the daemon has carried out: the next list is without them. */
  #carriedOut: string[] = [];
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
  }

  readonly groups = $derived.by(() => {
    const { questions, notes, strays, skills, conventions, gaps } = this.waiting.value ?? NOTHING;
    const words = inboxWords.groups;
    const merges = (kind: MergeQuestion['kind']): Decision[] =>
      questions
        .filter((question) => question.kind === kind)
        .toSorted((a, b) => a.at - b.at)
        .map((question) => ({ kind: 'merge', key: `merge-${question.id}`, question }));
    const waiting = (why: NoteReason): Decision[] =>
      notes[why].map((row) => ({ kind: 'note', key: `${why}-${row.id}`, why, row }));
    const groups: { title: string; items: Decision[] }[] = [
      { title: words.twins, items: merges('twin') },
      { title: words.contradictions, items: merges('contradiction') },
      ...(['proposed', 'speculative', 'unvalidated'] as const).map((why) => ({
        title: words[why],
        items: waiting(why),
      })),
      {
        title: words.broken,
        items: [
          ...waiting('broken'),
          ...strays.map((stray): Decision => ({ kind: 'stray', key: keyOf('stray', stray.path), stray })),
        ],
      },
      {
        title: words.skills,
        items: skills.map((stale) => ({ kind: 'skill', key: keyOf('skill', stale.skill.path), stale })),
      },
      {
        title: words.conventions,
        items: conventions.map((document) => ({
          kind: 'conventions',
          key: keyOf('conventions', document.project),
          conventions: document,
        })),
      },
      {
        title: words.gaps,
        items: gaps.map((gap) => ({ kind: 'gap', key: keyOf('gap', gap.project, gap.query), gap })),
      },
    ];
    return groups
      .map(({ title, items }) => ({ title, items: items.filter(({ key }) => !this.#decided.has(key)) }))
      .filter(({ items }) => items.length > 0);
  });

  get decisions(): Decision[] {
    return this.groups.flatMap(({ items }) => items);
  }

  get selected(): Decision | undefined {
    return this.decisions.find(({ key }) => key === this.selectedKey);
  }

  /** The fields two notes differ in, which are the ones to decide. */
  get fields(): MergedField[] {
    const { selected } = this;
    return selected?.kind === 'merge'
      ? differingFields(selected.question.existing, selected.question.incoming)
      : [];
  }

  async load(): Promise<void> {
    const settled = this.#carriedOut;
    let fresh: Waiting | undefined;
    await this.waiting.load(async () => (fresh = await this.#ask()));
    // Only a list that was asked for after they were carried out is known to be without them.
    if (fresh !== undefined && this.waiting.value === fresh) this.#show(settled);
    // Also what a link selected before it was here: its fields are known only now.
    this.select(this.selected?.key ?? this.decisions[0]?.key ?? null);
  }

  select(key: string | null): void {
    if (key !== this.selectedKey) this.answer = null;
    this.selectedKey = key;
    const { selected } = this;
    if (selected?.kind !== 'merge' || this.#choicesFor === key) return;
    this.#choicesFor = selected.key;
    this.choices = firstChoices(selected.question.existing, selected.question.incoming);
    this.edits = {};
    this.field = this.fields[0] ?? null;
  }

  move(step: number): void {
    const { decisions } = this;
    const index = decisions.findIndex(({ key }) => key === this.selectedKey) + step;
    this.select(decisions[Math.min(decisions.length - 1, Math.max(0, index))]?.key ?? null);
  }

  moveField(step: number): void {
    const { fields } = this;
    const index = this.field === null ? 0 : fields.indexOf(this.field) + step;
    this.field = fields[Math.min(fields.length - 1, Math.max(0, index))] ?? null;
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

  /** Answers the selected question. */
  async resolve(action: MergeAction): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'merge') return null;
    const { question } = selected;
    const words = inboxWords;
    const merged =
      action === 'merge'
        ? { merged: editedNote(question.existing, question.incoming, this.choices, this.edits) }
        : {};
    const says = {
      merge: words.merged(question.existing.title),
      'keep-both': words.keptBoth,
      dismiss: words.dismissed,
      replace: words.replaced,
    }[action];
    return this.#decide(selected.key, says, () =>
      this.#change(this.#call('merges.resolve', { id: question.id, action, ...merged })),
    );
  }

  /** Keeps or drops the selected note. */
  async judge(action: NoteAction): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'note') return null;
    const {
      key,
      why,
      row: { id, title },
    } = selected;
    if (action === 'drop') {
      const drop = () =>
        why === 'proposed'
          ? this.#call('learnings.update', { id, patch: { status: 'rejected' } })
          : this.#call('learnings.archive', { id });
      return this.#decide(key, inboxWords.droppedNote(title), () => this.#change(drop()));
    }
    if (why === 'broken') return null;
    return this.#decide(key, inboxWords.keptNote(title), () =>
      this.#change(this.#call('learnings.update', { id, patch: KEPT[why] })),
    );
  }

  /** Asks nobody about the selected gap until it comes up again. */
  async closeGap(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'gap') return null;
    const { query, project } = selected.gap;
    return this.#decide(selected.key, inboxWords.gapClosed, async () => {
      await this.#call('gaps.close', { query, project });
      return () => this.#call('gaps.close', { query, project, closed: false });
    });
  }

  /** The selected skill is right as it is. */
  async confirmSkill(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'skill') return null;
    const { path, name } = selected.stale.skill;
    return this.#decide(selected.key, inboxWords.skillConfirmed(name), async () => {
      await this.#call('skills.confirm', { path });
      return () => this.#call('skills.confirm', { path, confirmed: false });
    });
  }

  /** Writes the selected document of conventions anew. */
  async writeConventions(): Promise<string | null> {
    const { selected } = this;
    if (selected?.kind !== 'conventions') return null;
    const { path } = await this.#call('conventions.refresh', { project: selected.conventions.project });
    await this.load();
    return inboxWords.conventionsWritten(path);
  }

  /** Writes down what answers the selected gap. */
  async answerGap(): Promise<Decided | null> {
    const { selected, answer } = this;
    const rule = answer?.trim() ?? '';
    if (selected?.kind !== 'gap' || rule === '') return null;
    const { query, project } = selected.gap;
    const title = (rule.split('\n')[0] ?? rule).slice(0, TITLE_LENGTH);
    return this.#decide(selected.key, inboxWords.gapAnswered, async () => {
      const { changeId } = await this.#call('learnings.create', {
        note: { title, rule, problem: query, project, scope: project === '' ? 'global' : 'project' },
        reason: `answers “${query.slice(0, 200)}”`,
      });
      await this.#call('gaps.close', { query, project });
      return async () => {
        await this.#call('changes.undo', { changeId });
        await this.#call('gaps.close', { query, project, closed: false });
      };
    });
  }

  /** Looks again at what a person put right outside: files, or skills. Returns how many are right now. */
  async lookAgain(): Promise<number> {
    const before = this.decisions.length;
    if (this.selected?.kind === 'skill') await this.#call('skills.refresh', {});
    else await this.#call('documents.repair', {});
    await this.load();
    return Math.max(0, before - this.decisions.length);
  }

  onEvent({ type }: ClientEvent): void {
    if (
      this.waiting.value &&
      (type === 'inbox.changed' || type === 'learning.changed' || type === 'reconnected')
    )
      this.#refreshSoon();
  }

  /** Gone at once on screen, and on to the next; back if the daemon refuses. */
  async #decide(
    key: string,
    says: string,
    carryOut: () => Promise<() => Promise<unknown>>,
  ): Promise<Decided> {
    const index = this.decisions.findIndex((decision) => decision.key === key);
    const answer = this.answer;
    this.#decided.add(key);
    this.select((this.decisions[index] ?? this.decisions.at(-1))?.key ?? null);
    try {
      const takeBack = await carryOut();
      this.#carriedOut = [...this.#carriedOut, key];
      this.#refreshSoon();
      return { says, undo: () => this.#takeBack(key, takeBack) };
    } catch (error) {
      this.#show([key]);
      this.select(key);
      this.answer = answer;
      throw error;
    }
  }

  async #takeBack(key: string, takeBack: () => Promise<unknown>): Promise<void> {
    await takeBack();
    this.#show([key]);
    await this.load();
    this.select(key);
  }

  async #change(changed: Promise<{ changeId: number }>): Promise<() => Promise<unknown>> {
    const { changeId } = await changed;
    return () => this.#call('changes.undo', { changeId });
  }

  #show(keys: string[]): void {
    this.#carriedOut = this.#carriedOut.filter((key) => !keys.includes(key));
    for (const key of keys) this.#decided.delete(key);
  }

  async #ask(): Promise<Waiting> {
    const [inbox, windows] = await Promise.all([
      this.#call('inbox.list', {}),
      this.#call('capture.moments', { limit: 500 }),
    ]);
    const today = startOfDay(Date.now());
    return {
      ...inbox,
      capturedToday: windows.filter(({ at, state }) => at >= today && state !== 'dismissed').length,
    };
  }
}

/** Ids of the page may hold no spaces. */
const keyOf = (...parts: string[]): string => parts.join('-').replaceAll(/\s/g, '-');
