import { SvelteSet } from 'svelte/reactivity';
import type { LearningRow } from '#contract/entities.ts';
import type { DraftKind, Drafts } from '../drafts.svelte.ts';
import { doReversibly, type Reversal } from '../frame/undo.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { projectNames } from '../ui/project-names.ts';
import { type Decision, groupsOf, NOTHING, projectOf, withoutDecision } from './decisions.ts';
import { answerDrafts, discardDraft, DRAFT_KINDS, mergeDrafts, wordingDrafts } from './drafts.ts';
import { answerGap, closeGap } from './gaps.ts';
import { judgementOf, type NoteAction, reversible } from './judgements.ts';
import { editedNote } from './merge-choice.ts';
import { MergeForm } from './merge-form.svelte.ts';
import { inboxWords } from './words.ts';

export type MergeAction = 'merge' | 'keep-both' | 'dismiss' | 'replace';

/** A decision that was carried out: what to say, and how to undo it if it can be undone. */
export type Decided = { says: string; undo?: Reversal };

/** Everything that waits for a person, as one queue. */
export class InboxState {
  readonly #scope: Scope;
  readonly #drafts: Drafts;
  readonly waiting: Resource<'inbox.list'>;
  selectedKey = $state<string | null>(null);
  /** The merge being made of the selected question. */
  readonly form: MergeForm;
  /** The keys of candidates that are decided together. */
  readonly marked = new SvelteSet<string>();

  constructor(queries: Queries, drafts: Drafts) {
    this.#scope = queries.scope('inbox');
    this.#drafts = drafts;
    this.form = new MergeForm(drafts, () => this.selected);
    this.waiting = this.#scope.resource('inbox.list', () => this.#selectAmongDecisions());
  }

  readonly groups = $derived.by(() => groupsOf(this.waiting.value ?? NOTHING));
  readonly decisions = $derived(this.groups.flatMap(({ items }) => items));
  /** A project by a name that no other one in the list has. */
  readonly nameOf = $derived(projectNames(this.decisions.map(projectOf)));
  /** Decisions that ask for attention; candidates can wait. */
  readonly asking = $derived(this.decisions.filter(({ kind }) => kind !== 'candidate').length);
  /** The candidates an action is about: the one being reworded, else the marked ones, else the selected one. */
  readonly chosen = $derived(
    this.decisions.filter(
      (decision) =>
        decision.kind === 'candidate' &&
        (this.marked.size > 0 && this.wording === null
          ? this.marked.has(decision.key)
          : decision.key === this.selectedKey),
    ) as Extract<Decision, { kind: 'candidate' }>[],
  );

  get selected(): Decision | undefined {
    return this.decisions.find(({ key }) => key === this.selectedKey);
  }

  isUnsaved({ key }: Decision): boolean {
    return DRAFT_KINDS.some((kind) => this.#drafts.isUnsaved(kind, key));
  }

  async load(): Promise<void> {
    await this.waiting.ask({});
  }

  select(key: string | null): void {
    if (key === this.selectedKey) return;
    // Typed text is kept for the next visit.
    if (this.selectedKey !== null) {
      this.#drafts.leave(answerDrafts, this.selectedKey);
      this.#drafts.leave(wordingDrafts, this.selectedKey);
    }
    this.selectedKey = key;
    this.form.field = null;
  }

  move(step: number): void {
    const { decisions } = this;
    const index = decisions.findIndex(({ key }) => key === this.selectedKey) + step;
    this.select(decisions[Math.min(decisions.length - 1, Math.max(0, index))]?.key ?? null);
  }

  /** The answer being written to the selected question; null while nobody writes one. */
  get answer(): string | null {
    return this.#textOf(answerDrafts);
  }

  set answer(text: string | null) {
    const { selectedKey } = this;
    if (selectedKey === null) return;
    if (text === null) this.#drafts.discard(answerDrafts, selectedKey);
    else this.#drafts.set(answerDrafts, selectedKey, { text });
  }

  /** The selected candidate in other words; null while nobody writes any. */
  get wording(): string | null {
    return this.#textOf(wordingDrafts);
  }

  set wording(text: string | null) {
    const { selected } = this;
    if (selected?.kind !== 'candidate') return;
    if (text === null) this.#drafts.discard(wordingDrafts, selected.key);
    else this.#drafts.set(wordingDrafts, selected.key, { text, before: selected.candidate.title });
  }

  /** Marks the selected candidate, or takes the mark away. */
  mark(): void {
    const { selected } = this;
    if (selected?.kind !== 'candidate') return;
    if (!this.marked.delete(selected.key)) this.marked.add(selected.key);
  }

  markAll(): void {
    for (const { key, kind } of this.decisions) if (kind === 'candidate') this.marked.add(key);
  }

  /** Keeps or drops the chosen candidates, as one change. */
  async judgeCandidates(action: NoteAction): Promise<Decided | null> {
    const { chosen } = this;
    const [first] = chosen;
    if (!first) return null;
    const text = this.wording?.trim();
    const patch = action === 'keep' && text ? { patch: { title: text, rule: text } } : {};
    const ids = chosen.map(({ candidate }) => candidate.id);
    const says = inboxWords.judged[action](chosen.length, text || first.candidate.title);
    const keys = chosen.map(({ key }) => key);
    this.marked.clear();
    return this.#decide(keys, says, () =>
      this.#change(this.#scope.call(`candidates.${action}`, { ids, ...patch })),
    );
  }

  /** Drops what was typed for the selected decision; returns how to bring it back, if anything was. */
  discard(): (() => void) | null {
    const key = this.selectedKey;
    return key === null ? null : discardDraft(this.#drafts, key);
  }

  /** Answers the selected question. */
  async resolve(action: MergeAction): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'merge') return null;
    const { question } = selected;
    const merged = editedNote(question.existing, question.incoming, this.form.choices, this.form.edits);
    const says = {
      merge: inboxWords.merged(merged.title ?? question.existing.title),
      'keep-both': inboxWords.keptBoth,
      dismiss: inboxWords.dismissed,
      replace: inboxWords.replaced,
    }[action];
    const input = { id: question.id, action, ...(action === 'merge' ? { merged } : {}) };
    return this.#decide([selected.key], says, () =>
      this.#change(this.#scope.call('merges.resolve', $state.snapshot(input))),
    );
  }

  /** Keeps or drops the selected note, a whole import, or the edit of a slot that an agent asked for. */
  async judge(action: NoteAction): Promise<Decided | null> {
    const { selected } = this;
    const judgement = selected ? judgementOf(this.#scope.call, selected, action) : null;
    if (!selected || !judgement) return null;
    const { says, carryOut, isFinal } = judgement;
    const decided = await this.#decide([selected.key], says, carryOut);
    return isFinal ? { says } : decided;
  }

  /** Accepts or rejects one note of an import; the others go on waiting. */
  async judgeImported({ id, title }: LearningRow, action: NoteAction): Promise<Decided> {
    const status = action === 'keep' ? 'active' : 'rejected';
    const says = action === 'keep' ? inboxWords.keptNote(title) : inboxWords.rejectedNote(title);
    const revert = await this.#change(this.#scope.call('learnings.update', { id, patch: { status } }));
    await this.waiting.refetch();
    return { says, undo: revert };
  }

  /** Closes the selected gap until somebody asks the same again. */
  async closeGap(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'gap') return null;
    return this.#decide([selected.key], inboxWords.gapClosed, () => closeGap(this.#scope.call, selected.gap));
  }

  /** The selected skill is right as it is. */
  async confirmSkill(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'skill') return null;
    const { path, name } = selected.stale.skill;
    return this.#decide([selected.key], inboxWords.skillConfirmed(name), () =>
      doReversibly(
        () => this.#scope.call('skills.confirm', { path }),
        () => this.#scope.call('skills.confirm', { path, confirmed: false }),
      ),
    );
  }

  /** Writes the selected document of conventions again. */
  async writeConventions(): Promise<string | null> {
    const { selected } = this;
    if (selected?.kind !== 'conventions') return null;
    const { path } = await this.#scope.call('conventions.refresh', {
      project: selected.conventions.project,
    });
    await this.waiting.refetch();
    return inboxWords.conventionsWritten(path);
  }

  /** Saves the answer to the selected gap as a learning. */
  async answerGap(): Promise<Decided | null> {
    const { selected, answer } = this;
    const rule = answer?.trim() ?? '';
    if (selected?.kind !== 'gap' || rule === '') return null;
    return this.#decide([selected.key], inboxWords.gapAnswered, () =>
      answerGap(this.#scope.call, selected.gap, rule),
    );
  }

  /** Checks again what a person may have fixed outside: files, or skills. Returns how many are fixed. */
  async checkAgain(): Promise<number> {
    const before = this.decisions.length;
    if (this.selected?.kind === 'skill') await this.#scope.call('skills.refresh', {});
    else await this.#scope.call('documents.repair', {});
    await this.waiting.refetch();
    return Math.max(0, before - this.decisions.length);
  }

  /** Gone at once on screen, and on to the next; back if the daemon refuses. Typed text is kept until it is done. */
  async #decide(keys: readonly string[], says: string, carryOut: () => Promise<Reversal>): Promise<Decided> {
    const [key = ''] = keys;
    const index = this.decisions.findIndex((decision) => decision.key === key);
    const deciding = this.waiting.change((inbox) => keys.reduce(withoutDecision, inbox), carryOut);
    this.select((this.decisions[index] ?? this.decisions.at(-1))?.key ?? null);
    try {
      const revert = await deciding;
      const merge = this.#drafts.discard(mergeDrafts, key);
      for (const kind of DRAFT_KINDS) this.#drafts.discard(kind, key);
      const undo = async () => {
        const redo = await revert();
        if (merge) this.#drafts.set(mergeDrafts, key, merge);
        await this.waiting.refetch();
        this.select(key);
        return redo;
      };
      return { says, undo };
    } catch (error) {
      this.select(key);
      throw error;
    }
  }

  #change(changed: Promise<{ changeId: number | null }>): Promise<Reversal> {
    return reversible(this.#scope.call, changed);
  }

  #textOf(kind: DraftKind<{ text: string }>): string | null {
    return this.selectedKey === null ? null : (this.#drafts.of(kind, this.selectedKey)?.text ?? null);
  }

  #selectAmongDecisions(): void {
    if (!this.selected) this.select(this.decisions[0]?.key ?? null);
  }
}
