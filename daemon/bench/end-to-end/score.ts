import type { Label, LabelledSession } from '../../capture/bench/labelled.ts';
import { median } from '../statistics.ts';
import type { KnownNote, NoticedMoment } from './knowledge.ts';

/** A question of a label, and the ids of the notes it found, best first. */
export interface AskedQuestion {
  query: string;
  learnings: string[];
  /** With the candidates, as a person searches; null if the daemon cannot. */
  withCandidates: string[] | null;
  /** Injected with the question as a prompt. */
  injected: string[];
}

export interface AskedLabel {
  label: Label;
  session: LabelledSession;
  /** Notes made from the label's lines. */
  own: ReadonlySet<string>;
  /** Other notes that say the same. */
  same: ReadonlySet<string>;
  questions: AskedQuestion[];
}

/** A line of a label, or one that repeats it. */
export const isOn = (label: Label, line: number) => label.line === line || label.also_lines.includes(line);

const momentsOf = (label: Label, session: LabelledSession, moments: readonly NoticedMoment[]) =>
  moments.filter((moment) => moment.session === session && isOn(label, moment.line));

/** The note that holds a lesson now: the last of those that superseded each other. */
export function latest(id: string, notes: ReadonlyMap<string, KnownNote>): string {
  const seen = new Set([id]);
  for (let next = notes.get(id)?.supersededBy; next && !seen.has(next); next = notes.get(next)?.supersededBy)
    seen.add(next);
  return [...seen].at(-1) ?? id;
}

/** The notes made from the label's lines or proven by them. */
export const ownNotes = (
  label: Label,
  session: LabelledSession,
  moments: readonly NoticedMoment[],
  notes: ReadonlyMap<string, KnownNote>,
): Set<string> =>
  new Set(
    momentsOf(label, session, moments).flatMap(({ learning }) => (learning ? [latest(learning, notes)] : [])),
  );

export type Worth = 'right' | 'wrong' | 'unread';

/** A note is right if one of its moments is on a labelled line; a half-read statement counts neither way. */
export function worthOf(
  id: string,
  moments: readonly NoticedMoment[],
  notes: ReadonlyMap<string, KnownNote>,
): Worth {
  const its = moments.filter(({ learning }) => learning !== null && latest(learning, notes) === id);
  if (its.some(({ session, line }) => session.labels.some((label) => isOn(label, line)))) return 'right';
  return its.some(({ session, line }) => session.unread.has(line)) ? 'unread' : 'wrong';
}

export const MISSES = [
  'not heard',
  'heard but dropped',
  'candidate only',
  'bound to branch',
  'learning but not found',
] as const;
export type Miss = (typeof MISSES)[number];

const WAITING = new Set(['candidate', 'proposed']);

/** Where the chain lost a label that no question found among the learnings. */
export function missOf(
  { label, session, own }: Pick<AskedLabel, 'label' | 'session' | 'own'>,
  moments: readonly NoticedMoment[],
  notes: ReadonlyMap<string, KnownNote>,
): { miss: Miss; why: string } {
  const heard = momentsOf(label, session, moments);
  const kept = [...own].flatMap((id) => notes.get(id) ?? []);
  const active = kept.filter(({ status }) => status === 'active');
  const [first] = heard;
  if (!first && kept.length === 0) return { miss: 'not heard', why: '' };
  if (active.some(({ branch }) => branch === null))
    return { miss: 'learning but not found', why: kept.map(({ title }) => title).join(' · ') };
  if (active.length > 0)
    return { miss: 'bound to branch', why: active.map(({ title }) => title).join(' · ') };
  const waiting = kept.filter(({ status }) => WAITING.has(status));
  if (waiting.length > 0)
    return { miss: 'candidate only', why: waiting.map(({ title }) => title).join(' · ') };
  const status = kept.map((note) => note.status).join(', ');
  return { miss: 'heard but dropped', why: first?.reason || status || `${first?.signal}: ${first?.state}` };
}

export interface Rates {
  labels: number;
  /** Shares of the labels with at least one question that found theirs in the top five. */
  answered: number;
  withCandidates: number | null;
  /** … that found theirs or another note that says the same. */
  loosely: number;
  injected: number;
  /** Shares of the questions. */
  questions: number;
  questionsInjected: number;
  /** Mean reciprocal rank over the questions. */
  mrr: number;
}

const share = (part: number, whole: number) => (whole === 0 ? NaN : part / whole);

export function ratesOf(asked: readonly AskedLabel[]): Rates {
  const questions = asked.flatMap(({ own, questions }) =>
    questions.map((question) => ({ ...question, own })),
  );
  const labelsWith = (found: (question: AskedQuestion, label: AskedLabel) => boolean) =>
    share(
      asked.filter((label) => label.questions.some((question) => found(question, label))).length,
      asked.length,
    );
  const has = (ids: readonly string[], wanted: ReadonlySet<string>) => ids.some((id) => wanted.has(id));
  const canSearchCandidates = questions.some(({ withCandidates }) => withCandidates !== null);
  return {
    labels: asked.length,
    answered: labelsWith(({ learnings }, { own }) => has(learnings, own)),
    withCandidates: canSearchCandidates
      ? labelsWith(({ withCandidates }, { own }) => has(withCandidates ?? [], own))
      : null,
    loosely: labelsWith(({ learnings }, { own, same }) => has(learnings, own) || has(learnings, same)),
    injected: labelsWith(({ injected }, { own }) => has(injected, own)),
    questions: share(questions.filter(({ learnings, own }) => has(learnings, own)).length, questions.length),
    questionsInjected: share(
      questions.filter(({ injected, own }) => has(injected, own)).length,
      questions.length,
    ),
    mrr: share(
      questions.reduce((sum, { learnings, own }) => sum + reciprocalRank(learnings, own), 0),
      questions.length,
    ),
  };
}

function reciprocalRank(ids: readonly string[], wanted: ReadonlySet<string>): number {
  const at = ids.findIndex((id) => wanted.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

export interface Injected {
  /** Questions that injected anything, as a share of all. */
  questions: number;
  /** Notes injected, each time counted, and the share of them that are right. */
  notes: number;
  right: number;
  distinct: number;
  distinctRight: number;
}

export function injectedOf(asked: readonly AskedLabel[], worth: (id: string) => Worth): Injected {
  const questions = asked.flatMap((label) => label.questions);
  const judged = questions.flatMap(({ injected }) => injected).filter((id) => worth(id) !== 'unread');
  const distinct = [...new Set(judged)];
  const right = (ids: string[]) => share(ids.filter((id) => worth(id) === 'right').length, ids.length);
  return {
    questions: share(questions.filter(({ injected }) => injected.length > 0).length, questions.length),
    notes: judged.length,
    right: right(judged),
    distinct: distinct.length,
    distinctRight: right(distinct),
  };
}

export interface Amounts {
  learnings: number;
  candidates: number;
  /** Learnings with a labelled line, of those that can be judged. */
  precision: number;
  perSession: { median: number; most: number };
  onBranch: number;
}

/** How much was kept, over all sessions, also those that taught nothing. */
export function amountsOf(
  sessions: ReadonlyArray<{ id: string; path: string }>,
  notes: readonly KnownNote[],
  worth: (id: string) => Worth,
): Amounts {
  const learnings = notes.filter(({ status }) => status === 'active');
  const judged = learnings.filter(({ id }) => worth(id) !== 'unread');
  // An agent's own record of a lesson names its session but no transcript.
  const counts = sessions.map(
    ({ id, path }) =>
      learnings.filter(({ provenance: { transcript, session } }) =>
        transcript ? transcript === path : session === id,
      ).length,
  );
  return {
    learnings: learnings.length,
    candidates: notes.filter(({ status }) => WAITING.has(status)).length,
    precision: share(judged.filter(({ id }) => worth(id) === 'right').length, judged.length),
    perSession: { median: median(counts), most: Math.max(...counts) },
    onBranch: learnings.filter(({ branch }) => branch !== null).length,
  };
}
