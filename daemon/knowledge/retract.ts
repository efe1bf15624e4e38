import { type Learning, Note } from '#contract/entities.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import { flag, number, type UserResolve, resolveAll } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { effectDone, type StoredEffect, waitingEffects } from '../store/capture/effects.ts';
import { addLearning, asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { lastSaidAt } from '../store/learnings/lineage.ts';
import { askMerge } from '../store/learnings/questions.ts';
import { hasUndrainedIn } from '../store/capture/moments.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { EFFECT } from '../store/columns.ts';

/**
 * Measured on 335 questions about 132 notes of two real projects, as if each were retracted: with these defaults 34 %
 * archive a note, 6.6 % of these the wrong one, and a person is asked about 59 %.
 */
export const retraction = {
  id: 'knowledge.retract',
  seeds: [],
  doc: 'Archives a learning when a person says in a later session that it no longer applies; asks you if unsure.',
  switch: flag('REFLECT_RETRACT', true, 'Archive learnings that a person retracts later'),
  knobs: {
    minRelevance: number('REFLECT_RETRACT_MIN_RELEVANCE', {
      default: 0.5,
      min: 0,
      max: 1,
      doc: 'Minimum relevance of a learning to what you retract, to archive it without asking',
    }),
    margin: number('REFLECT_RETRACT_MARGIN', {
      default: 0.15,
      min: 0,
      max: 1,
      doc: 'By how much it must be more relevant than every other learning',
    }),
    askFrom: number('REFLECT_RETRACT_ASK_FROM', {
      default: 0.4,
      min: 0,
      max: 1,
      doc: 'Minimum relevance for Reflect to ask you',
    }),
  },
} satisfies PortCard;

type Retraction = ReturnType<typeof EFFECT.forget.read>;

export interface Relevant {
  learning: Learning;
  relevance: number;
}

interface RetractorParts {
  store: Store;
  log: Log;
  resolve: UserResolve;
  /** The learnings of a project that are most relevant to a text, best first. */
  findRelevant: (about: string, project: string) => Promise<Relevant[]>;
  /** True while older sessions are read: the retracted lesson may not be known yet. */
  isReading: () => boolean;
}

const SETTLE = 500; // ms; a note that is being written may be the one that is meant

/**
 * Archives what people retract in later sessions. Finding the learning takes a search, which cannot run in a
 * transaction. It never polls: it is woken when transcripts have been read or the queue of moments is empty.
 */
export function createRetractor(parts: RetractorParts): BackgroundTask {
  return new BackgroundTask({
    settleMs: SETTLE,
    work: (signal) => retractAll(parts, signal),
    onError: (error) => parts.log.error('retracting a lesson', error),
  });
}

async function retractAll(parts: RetractorParts, signal: AbortSignal): Promise<void> {
  if (parts.isReading()) return;
  for (const effect of waitingEffects(parts.store.db).filter(({ kind }) => kind === 'forget')) {
    await retract(parts, effect, signal);
    if (signal.aborted) return;
  }
}

async function retract(
  { store, resolve, findRelevant }: RetractorParts,
  { id, at, detail }: StoredEffect,
  signal: AbortSignal,
): Promise<void> {
  const said = EFFECT.forget.read(detail);
  if (hasUndrainedIn(store.db, said.project, at)) return;
  const known = resolve(retraction.switch) ? await findRelevant(said.about, said.project) : [];
  if (signal.aborted) return;
  const candidates = known.filter(({ learning }) => isLive(learning) && lastSaidAt(store.db, learning) < at);
  const verdict = decide(candidates, resolveAll(retraction.knobs, resolve));
  asOneUnit(store, () => {
    if (verdict?.sure) archive(store, verdict.learning, said);
    else if (verdict) ask(store, verdict, said);
    effectDone(store.db, id);
  });
}

export interface Verdict extends Relevant {
  sure: boolean;
}

/** The learning that is clearly meant, the one to ask about, or null when none is relevant. */
export function decide(
  candidates: readonly Relevant[],
  { minRelevance, margin, askFrom }: { minRelevance: number; margin: number; askFrom: number },
): Verdict | null {
  const [best, next] = candidates.toSorted((one, other) => other.relevance - one.relevance);
  if (!best || best.relevance < askFrom) return null;
  const clear = !next || best.relevance - next.relevance >= margin;
  // One project must not retract a global learning without a question.
  return { ...best, sure: clear && best.relevance >= minRelevance && best.learning.scope !== 'global' };
}

const LONGEST_REASON = 300; // characters

function archive(store: Store, { id }: Learning, { quote }: Retraction): void {
  changeLearning(
    store,
    id,
    { status: 'archived' },
    { actor: 'capture', kind: 'archive', reason: `retracted: “${quote.slice(0, LONGEST_REASON)}”` },
  );
}

/** Asks as for a contradiction: the retraction can replace the learning, be dropped, or be kept beside it. */
function ask(store: Store, { learning, relevance }: Verdict, { about, quote, project }: Retraction): void {
  const note = Note.parse({
    title: `No longer: ${about}`.slice(0, LONGEST_REASON),
    body: quote,
    type: 'correction',
    category: learning.category,
    project,
    status: 'proposed',
    confidence: 0.5,
  });
  const { learning: incoming, changeId } = addLearning(store, note, {
    actor: 'capture',
    kind: 'create',
    reason: 'seems to retract a learning',
  });
  if (changeId !== 0)
    askMerge(store, {
      kind: 'contradiction',
      similarity: Math.min(1, relevance),
      existingId: learning.id,
      incomingId: incoming.id,
    });
}
