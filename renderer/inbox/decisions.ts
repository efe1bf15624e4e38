import type { ImportBatch } from '#contract/archive.ts';
import type { Candidate } from '#contract/candidates.ts';
import type { Conventions, Inbox, StaleSkill } from '#contract/distill.ts';
import type { LearningRow, MergeQuestion, Note } from '#contract/entities.ts';
import type { Gap } from '#contract/recall.ts';
import type { SlotProposal } from '#contract/slots.ts';
import type { PublishOffer } from '#contract/team.ts';
import { inboxWords } from './words.ts';

export type NoteReason = keyof Inbox['notes'];
export type Stray = Inbox['strays'][number];

export type Decision =
  | { kind: 'merge'; key: string; question: MergeQuestion }
  | { kind: 'note'; key: string; why: NoteReason; row: LearningRow }
  | { kind: 'batch'; key: string; batch: ImportBatch }
  | { kind: 'slot'; key: string; proposal: SlotProposal }
  | { kind: 'stray'; key: string; stray: Stray }
  | { kind: 'skill'; key: string; stale: StaleSkill }
  | { kind: 'conventions'; key: string; conventions: Conventions }
  | { kind: 'gap'; key: string; gap: Gap }
  | { kind: 'publish'; key: string; offer: PublishOffer }
  | { kind: 'candidate'; key: string; candidate: Candidate };

/** The project whose name the row of a decision shows; '' for none. */
export function projectOf(decision: Decision): string {
  if (decision.kind === 'note') return decision.row.project;
  if (decision.kind === 'candidate') return decision.candidate.project;
  return decision.kind === 'slot' ? decision.proposal.project : '';
}

type DecisionGroup = { title: string; items: Decision[] };

/** The effect of accepting a note, by why it waits. */
export const KEPT: Record<Exclude<NoteReason, 'broken'>, Partial<Note>> = {
  suspicious: { status: 'active' },
  imported: { status: 'active' },
  proposed: { status: 'active' },
  speculative: { speculative: false },
  unvalidated: { validated: true },
};
/** Proposals are rejected; what was in use is archived. */
export const REJECTED: ReadonlySet<NoteReason> = new Set(['suspicious', 'imported', 'proposed']);
/** An Inbox before its first answer. */
export const NOTHING: Inbox = {
  questions: [],
  notes: { suspicious: [], imported: [], proposed: [], speculative: [], unvalidated: [], broken: [] },
  batches: [],
  slots: [],
  strays: [],
  skills: [],
  conventions: [],
  gaps: [],
  publish: [],
  candidates: { best: [], total: 0 },
};

/** Ids of the page may hold no spaces. */
const keyOf = (...parts: (string | number)[]): string => parts.join('-').replaceAll(/\s/g, '-');
export const questionKey = (id: number) => keyOf('merge', id);
const mergeKey = ({ id }: MergeQuestion) => questionKey(id);
const noteKey = (why: NoteReason, { id }: LearningRow) => keyOf(why, id);
const batchKey = ({ from }: ImportBatch) => keyOf('batch', from);
const slotKey = ({ id }: SlotProposal) => keyOf('slot', id);
const strayKey = ({ path }: Stray) => keyOf('stray', path);
const skillKey = ({ skill }: StaleSkill) => keyOf('skill', skill.path);
const conventionsKey = ({ project }: Conventions) => keyOf('conventions', project);
const candidateKey = ({ id }: Candidate) => keyOf('candidate', id);
const offerKey = ({ space, id }: PublishOffer) => keyOf('publish', space, id);
const gapKey = ({ project, query }: Gap) => keyOf('gap', project, query);

/** Everything that waits for a person, grouped by kind, oldest questions first. Candidates can wait longest. */
export function groupsOf(inbox: Inbox): DecisionGroup[] {
  const { questions, notes, batches, slots, strays, skills, conventions, gaps, publish, candidates } = inbox;
  const words = inboxWords.groups;
  const merges = (kind: MergeQuestion['kind']): Decision[] =>
    questions
      .filter((question) => question.kind === kind)
      .toSorted((a, b) => a.at - b.at)
      .map((question) => ({ kind: 'merge', key: mergeKey(question), question }));
  const waiting = (why: NoteReason): Decision[] =>
    notes[why].map((row) => ({ kind: 'note', key: noteKey(why, row), why, row }));
  const groups: DecisionGroup[] = [
    { title: words.twins, items: merges('twin') },
    { title: words.contradictions, items: merges('contradiction') },
    {
      title: words.slots,
      items: slots.map((proposal) => ({ kind: 'slot', key: slotKey(proposal), proposal })),
    },
    {
      title: words.imported,
      items: batches.map((batch) => ({ kind: 'batch', key: batchKey(batch), batch })),
    },
    ...(['suspicious', 'proposed', 'speculative', 'unvalidated'] as const).map((why) => ({
      title: words[why],
      items: waiting(why),
    })),
    {
      title: words.broken,
      items: [
        ...waiting('broken'),
        ...strays.map((stray): Decision => ({ kind: 'stray', key: strayKey(stray), stray })),
      ],
    },
    {
      title: words.skills,
      items: skills.map((stale) => ({ kind: 'skill', key: skillKey(stale), stale })),
    },
    {
      title: words.conventions,
      items: conventions.map((document) => ({
        kind: 'conventions',
        key: conventionsKey(document),
        conventions: document,
      })),
    },
    {
      title: words.publish,
      items: publish.map((offer) => ({ kind: 'publish', key: offerKey(offer), offer })),
    },
    { title: words.gaps, items: gaps.map((gap) => ({ kind: 'gap', key: gapKey(gap), gap })) },
    {
      title: words.candidates(candidates.best.length, candidates.total),
      items: candidates.best.map((candidate) => ({
        kind: 'candidate',
        key: candidateKey(candidate),
        candidate,
      })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The inbox after a decision, as it is shown before the daemon has confirmed it. */
export function withoutDecision(inbox: Inbox, key: string): Inbox {
  const rows = (why: NoteReason) => inbox.notes[why].filter((row) => noteKey(why, row) !== key);
  const best = inbox.candidates.best.filter((candidate) => candidateKey(candidate) !== key);
  return {
    questions: inbox.questions.filter((question) => mergeKey(question) !== key),
    notes: {
      suspicious: rows('suspicious'),
      imported: rows('imported'),
      proposed: rows('proposed'),
      speculative: rows('speculative'),
      unvalidated: rows('unvalidated'),
      broken: rows('broken'),
    },
    batches: inbox.batches.filter((batch) => batchKey(batch) !== key),
    slots: inbox.slots.filter((proposal) => slotKey(proposal) !== key),
    strays: inbox.strays.filter((stray) => strayKey(stray) !== key),
    skills: inbox.skills.filter((stale) => skillKey(stale) !== key),
    conventions: inbox.conventions.filter((document) => conventionsKey(document) !== key),
    gaps: inbox.gaps.filter((gap) => gapKey(gap) !== key),
    publish: inbox.publish.filter((offer) => offerKey(offer) !== key),
    candidates: {
      best,
      total: inbox.candidates.total - (inbox.candidates.best.length - best.length),
    },
  };
}
