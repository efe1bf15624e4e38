import { type Learning, Note } from '#contract/entities.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import { flag, number, type Resolve, resolveAll } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { effectDone, type StoredEffect, waitingEffects } from '../store/capture/effects.ts';
import { addLearning, asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { saidLast } from '../store/learnings/lineage.ts';
import { askMerge } from '../store/learnings/questions.ts';
import { hasUndrainedIn } from '../store/capture/moments.ts';
import { isLive } from '../store/learnings/learnings.ts';
import { EFFECT } from '../store/columns.ts';

/**
 * Measured on 335 questions about 132 notes of two real projects, as if each were taken back: with these bars 34 % are put away, 6.6 %
 * of them another note than the one labelled, and about 59 % a person is asked.
 */
export const retraction = {
  id: 'knowledge.retract',
  seeds: [],
  doc: 'Puts a learning away when a person says in a later session that it no longer holds; in doubt you are asked.',
  switch: flag('REFLECT_RETRACT', true, 'Put learnings away that a person takes back later'),
  knobs: {
    minRelevance: number('REFLECT_RETRACT_MIN_RELEVANCE', {
      default: 0.5,
      min: 0,
      max: 1,
      doc: 'How much a learning must bear on what is taken back to be put away without a question',
    }),
    margin: number('REFLECT_RETRACT_MARGIN', {
      default: 0.15,
      min: 0,
      max: 1,
      doc: 'By how much it must bear on it more than every other learning',
    }),
    askFrom: number('REFLECT_RETRACT_ASK_FROM', {
      default: 0.4,
      min: 0,
      max: 1,
      doc: 'From how much on you are asked',
    }),
  },
} satisfies PortCard;

type TakenBack = ReturnType<typeof EFFECT.forget.read>;

export interface Relevant {
  learning: Learning;
  relevance: number;
}

export interface RetractorParts {
  store: Store;
  log: Log;
  resolve: Resolve;
  /** The learnings of a project that bear on a text most, best first. */
  findRelevant: (about: string, project: string) => Promise<Relevant[]>;
  /** Older sessions are still being read: what is taken back may not be known yet. */
  isReading: () => boolean;
}

const SETTLE = 500; // ms: a note that is being written now may be the one that is meant

/**
 * Retracts what people take back in later sessions. Finding what is meant takes a search, which cannot be part of a
 * transaction. It never polls: whoever ends the reading of transcripts or empties the queue of moments wakes it.
 */
export class Retractor {
  readonly #parts: RetractorParts;
  readonly #task: BackgroundTask;

  constructor(parts: RetractorParts) {
    this.#parts = parts;
    this.#task = new BackgroundTask({
      settleMs: SETTLE,
      work: (signal) => this.#retractAll(signal),
      onError: (error) => parts.log.error('retracting what was taken back', error),
    });
  }

  wake(): void {
    this.#task.wake();
  }

  run(): Promise<void> {
    return this.#task.run();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #retractAll(signal: AbortSignal): Promise<void> {
    const { store, isReading } = this.#parts;
    if (isReading()) return;
    for (const effect of waitingEffects(store.db).filter(({ kind }) => kind === 'forget')) {
      await this.#retract(effect, signal);
      if (signal.aborted) return;
    }
  }

  async #retract({ id, at, detail }: StoredEffect, signal: AbortSignal): Promise<void> {
    const { store, resolve, findRelevant } = this.#parts;
    const said = EFFECT.forget.read(detail);
    if (hasUndrainedIn(store.db, said.project, at)) return;
    const known = resolve(retraction.switch) ? await findRelevant(said.about, said.project) : [];
    if (signal.aborted) return;
    const candidates = known.filter(({ learning }) => isLive(learning) && saidLast(store.db, learning) < at);
    const verdict = decide(candidates, resolveAll(retraction.knobs, resolve));
    asOneUnit(store, () => {
      if (verdict?.sure) putAway(store, verdict.learning, said);
      else if (verdict) ask(store, verdict, said);
      effectDone(store.db, id);
    });
  }
}

export interface Verdict extends Relevant {
  sure: boolean;
}

/** The one that is clearly meant, the one a person is asked about, or null when nothing is near. */
export function decide(
  candidates: readonly Relevant[],
  { minRelevance, margin, askFrom }: { minRelevance: number; margin: number; askFrom: number },
): Verdict | null {
  const [best, next] = candidates.toSorted((one, other) => other.relevance - one.relevance);
  if (!best || best.relevance < askFrom) return null;
  const clear = !next || best.relevance - next.relevance >= margin;
  // What everyone sees is not one project's to take back.
  return { ...best, sure: clear && best.relevance >= minRelevance && best.learning.scope !== 'global' };
}

const LONGEST_REASON = 300; // characters

function putAway(store: Store, { id }: Learning, { quote }: TakenBack): void {
  changeLearning(
    store,
    id,
    { status: 'archived' },
    { actor: 'capture', kind: 'archive', reason: `taken back: “${quote.slice(0, LONGEST_REASON)}”` },
  );
}

/** Held as a contradiction: its words may take the place of the learning, be dropped, or stand beside it. */
function ask(store: Store, { learning, relevance }: Verdict, { about, quote, project }: TakenBack): void {
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
    reason: 'seems to take something back',
  });
  if (changeId !== 0)
    askMerge(store.db, {
      at: store.now(),
      kind: 'contradiction',
      similarity: Math.min(1, relevance),
      existingId: learning.id,
      incomingId: incoming.id,
    });
}
