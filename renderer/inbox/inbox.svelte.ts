import { SvelteSet } from 'svelte/reactivity';
import type { Inbox } from '#contract/distill.ts';
import type { Note } from '#contract/entities.ts';
import type { Drafts } from '../drafts.svelte.ts';
import { type Reversal, reverseChange } from '../frame/undo.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { startOfDay } from '../ui/format.ts';
import { type Decision, groupsOf, type NoteReason, withoutDecision } from './decisions.ts';
import { answerDrafts, type MergeDraft, mergeDrafts, wordingDrafts } from './drafts.ts';
import {
  type Choice,
  type Choices,
  differingFields,
  editedNote,
  type Edits,
  firstChoices,
  type MergedField,
} from './merge-choice.ts';
import { inboxWords } from './words.ts';

export type MergeAction = 'merge' | 'keep-both' | 'dismiss' | 'replace';
export type NoteAction = 'keep' | 'drop';

/** A decision that was carried out: what to say, and how to undo it. */
export type Decided = { says: string; undo: Reversal };

/** The effect of accepting a note, by why it waits. */
const KEPT: Record<Exclude<NoteReason, 'broken'>, Partial<Note>> = {
  suspicious: { status: 'active' },
  imported: { status: 'active' },
  proposed: { status: 'active' },
  speculative: { speculative: false },
  unvalidated: { validated: true },
};
/** Proposals are rejected; what was in use is archived. */
const REJECTED: ReadonlySet<NoteReason> = new Set(['suspicious', 'imported', 'proposed']);
const NOTHING: Inbox = {
  questions: [],
  notes: { suspicious: [], imported: [], proposed: [], speculative: [], unvalidated: [], broken: [] },
  slots: [],
  strays: [],
  skills: [],
  conventions: [],
  gaps: [],
  candidates: { best: [], total: 0 },
};
const TITLE_LENGTH = 110;
const MOST_MOMENTS = 500;

/** Everything that waits for a person, as one queue. */
export class InboxState {
  readonly #scope: Scope;
  readonly #drafts: Drafts;
  readonly waiting: Resource<'inbox.list'>;
  readonly #moments: Resource<'capture.moments'>;
  selectedKey = $state<string | null>(null);
  #field = $state<MergedField | null>(null);
  /** The keys of candidates that are decided together. */
  readonly marked = new SvelteSet<string>();

  constructor(queries: Queries, drafts: Drafts) {
    this.#scope = queries.scope('inbox');
    this.#drafts = drafts;
    this.waiting = this.#scope.resource('inbox.list', () => this.#selectAmongDecisions());
    this.#moments = this.#scope.resource('capture.moments');
  }

  readonly groups = $derived.by(() => groupsOf(this.waiting.value ?? NOTHING));
  readonly decisions = $derived(this.groups.flatMap(({ items }) => items));
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

  readonly capturedToday = $derived.by(() => {
    const today = startOfDay(Date.now());
    return (this.#moments.value ?? []).filter(({ at, state }) => at >= today && state !== 'dismissed').length;
  });

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

  /** The field the keys choose for. */
  get field(): MergedField | null {
    const { fields } = this;
    return fields.find((field) => field === this.#field) ?? fields[0] ?? null;
  }

  set field(field: MergedField | null) {
    this.#field = field;
  }

  get #merge(): MergeDraft {
    const { selected } = this;
    if (selected?.kind !== 'merge') return { choices: {}, edits: {} };
    const { existing, incoming } = selected.question;
    return (
      this.#drafts.of(mergeDrafts, selected.key) ?? { choices: firstChoices(existing, incoming), edits: {} }
    );
  }

  get choices(): Choices {
    return this.#merge.choices;
  }

  get edits(): Edits {
    return this.#merge.edits;
  }

  isUnsaved({ key }: Decision): boolean {
    return (
      this.#drafts.isUnsaved(mergeDrafts, key) ||
      this.#drafts.isUnsaved(answerDrafts, key) ||
      this.#drafts.isUnsaved(wordingDrafts, key)
    );
  }

  async load(): Promise<void> {
    await Promise.all([this.waiting.ask({}), this.#moments.ask({ limit: MOST_MOMENTS })]);
  }

  select(key: string | null): void {
    if (key === this.selectedKey) return;
    // Typed text is kept for the next visit.
    if (this.selectedKey !== null) {
      this.#drafts.leave(answerDrafts, this.selectedKey);
      this.#drafts.leave(wordingDrafts, this.selectedKey);
    }
    this.selectedKey = key;
    this.#field = null;
  }

  move(step: number): void {
    const { decisions } = this;
    const index = decisions.findIndex(({ key }) => key === this.selectedKey) + step;
    this.select(decisions[Math.min(decisions.length - 1, Math.max(0, index))]?.key ?? null);
  }

  moveField(step: number): void {
    const { fields, field } = this;
    const index = field === null ? 0 : fields.indexOf(field) + step;
    this.#field = fields[Math.min(fields.length - 1, Math.max(0, index))] ?? null;
  }

  choose(field: MergedField, choice: Choice): void {
    const { choices, edits } = this.#merge;
    // A new choice replaces what was typed over the last one.
    const others = Object.fromEntries(Object.entries(edits).filter(([edited]) => edited !== field));
    this.#setMerge({ choices: { ...choices, [field]: choice }, edits: others });
    this.#field = field;
  }

  edit(field: MergedField, text: string): void {
    const { choices, edits } = this.#merge;
    this.#setMerge({ choices, edits: { ...edits, [field]: text } });
  }

  /** The answer being written to the selected question; null while nobody writes one. */
  get answer(): string | null {
    const { selectedKey } = this;
    return selectedKey === null ? null : (this.#drafts.of(answerDrafts, selectedKey)?.text ?? null);
  }

  set answer(text: string | null) {
    const { selectedKey } = this;
    if (selectedKey === null) return;
    if (text === null) this.#drafts.discard(answerDrafts, selectedKey);
    else this.#drafts.set(answerDrafts, selectedKey, { text });
  }

  /** The selected candidate in other words; null while nobody writes any. */
  get wording(): string | null {
    const { selectedKey } = this;
    return selectedKey === null ? null : (this.#drafts.of(wordingDrafts, selectedKey)?.text ?? null);
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
    if (key === null) return null;
    const merge = this.#drafts.discard(mergeDrafts, key);
    if (merge) return () => this.#drafts.set(mergeDrafts, key, merge);
    const wording = this.#drafts.discard(wordingDrafts, key);
    if (wording) return () => this.#drafts.set(wordingDrafts, key, wording);
    const answer = this.#drafts.discard(answerDrafts, key);
    return answer && (() => this.#drafts.set(answerDrafts, key, answer));
  }

  /** Answers the selected question. */
  async resolve(action: MergeAction): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'merge') return null;
    const { question } = selected;
    const merged = editedNote(question.existing, question.incoming, this.choices, this.edits);
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

  /** Keeps or drops the selected note, or the edit of a slot that an agent asked for. */
  async judge(action: NoteAction): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind === 'slot') return this.#judgeSlot(selected, action);
    if (selected?.kind !== 'note') return null;
    const {
      key,
      why,
      row: { id, title },
    } = selected;
    if (action === 'drop') {
      const drop = () =>
        REJECTED.has(why)
          ? this.#scope.call('learnings.update', { id, patch: { status: 'rejected' } })
          : this.#scope.call('learnings.archive', { id });
      const says = REJECTED.has(why) ? inboxWords.rejectedNote(title) : inboxWords.archivedNote(title);
      return this.#decide([key], says, () => this.#change(drop()));
    }
    if (why === 'broken') return null;
    return this.#decide([key], inboxWords.keptNote(title), () =>
      this.#change(this.#scope.call('learnings.update', { id, patch: KEPT[why] })),
    );
  }

  /** Accepts every note that waits because it was imported, as one change. */
  async acceptImported(): Promise<Decided | null> {
    const rows = this.waiting.value?.notes.imported ?? [];
    const keys = this.decisions
      .filter((decision) => decision.kind === 'note' && decision.why === 'imported')
      .map(({ key }) => key);
    return this.#decide(keys, inboxWords.acceptedImported(rows.length), () =>
      this.#change(
        this.#scope.call('learnings.changeMany', { ids: rows.map(({ id }) => id), status: 'active' }),
      ),
    );
  }

  async #judgeSlot(
    { key, proposal: { id, name } }: Extract<Decision, { kind: 'slot' }>,
    action: NoteAction,
  ): Promise<Decided> {
    const decision = action === 'keep' ? 'accept' : 'reject';
    return this.#decide([key], inboxWords.slotDecided[decision](name), async () => {
      await this.#scope.call('slots.decide', { id, decision });
      return () => this.#scope.call('slots.decide', { id, decision: 'reopen' });
    });
  }

  /** Closes the selected gap until somebody asks the same again. */
  async closeGap(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'gap') return null;
    const { query, project } = selected.gap;
    return this.#decide([selected.key], inboxWords.gapClosed, async () => {
      await this.#scope.call('gaps.close', { query, project });
      return () => this.#scope.call('gaps.close', { query, project, closed: false });
    });
  }

  /** The selected skill is right as it is. */
  async confirmSkill(): Promise<Decided | null> {
    const { selected } = this;
    if (selected?.kind !== 'skill') return null;
    const { path, name } = selected.stale.skill;
    return this.#decide([selected.key], inboxWords.skillConfirmed(name), async () => {
      await this.#scope.call('skills.confirm', { path });
      return () => this.#scope.call('skills.confirm', { path, confirmed: false });
    });
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
    const { query, project } = selected.gap;
    const title = (rule.split('\n')[0] ?? rule).slice(0, TITLE_LENGTH);
    return this.#decide([selected.key], inboxWords.gapAnswered, async () => {
      const { changeId } = await this.#scope.call('learnings.create', {
        note: { title, rule, problem: query, project, scope: project === '' ? 'global' : 'project' },
        reason: `answers “${query.slice(0, 200)}”`,
      });
      await this.#scope.call('gaps.close', { query, project });
      return async () => {
        await this.#scope.call('changes.undo', { changeId });
        await this.#scope.call('gaps.close', { query, project, closed: false });
      };
    });
  }

  /** Checks again what a person may have fixed outside: files, or skills. Returns how many are fixed. */
  async checkAgain(): Promise<number> {
    const before = this.decisions.length;
    if (this.selected?.kind === 'skill') await this.#scope.call('skills.refresh', {});
    else await this.#scope.call('documents.repair', {});
    await this.waiting.refetch();
    return Math.max(0, before - this.decisions.length);
  }

  /** Gone at once on screen, and on to the next; back if the daemon refuses. What was typed is kept until it is done. */
  async #decide(keys: readonly string[], says: string, carryOut: () => Promise<Reversal>): Promise<Decided> {
    const [key = ''] = keys;
    const index = this.decisions.findIndex((decision) => decision.key === key);
    const deciding = this.waiting.change((inbox) => keys.reduce(withoutDecision, inbox), carryOut);
    this.select((this.decisions[index] ?? this.decisions.at(-1))?.key ?? null);
    try {
      const revert = await deciding;
      const merge = this.#drafts.discard(mergeDrafts, key);
      this.#drafts.discard(answerDrafts, key);
      this.#drafts.discard(wordingDrafts, key);
      return { says, undo: () => this.#undo(key, merge, revert) };
    } catch (error) {
      this.select(key);
      throw error;
    }
  }

  async #undo(key: string, merge: MergeDraft | null, revert: Reversal): Promise<unknown> {
    const redo = await revert();
    if (merge) this.#drafts.set(mergeDrafts, key, merge);
    await this.waiting.refetch();
    this.select(key);
    return redo;
  }

  async #change(changed: Promise<{ changeId: number | null }>): Promise<Reversal> {
    const { changeId } = await changed;
    return changeId === null ? async () => undefined : reverseChange(this.#scope.call, changeId);
  }

  #selectAmongDecisions(): void {
    if (!this.selected) this.select(this.decisions[0]?.key ?? null);
  }

  #setMerge(draft: MergeDraft): void {
    if (this.selectedKey !== null) this.#drafts.set(mergeDrafts, this.selectedKey, draft);
  }
}
