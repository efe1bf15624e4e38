import { type Learning, Note } from '#contract/entities.ts';
import type { Log } from '../platform/log.ts';
import { flag, number, type Resolve, resolveAll } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { effectDone, type StoredEffect, waitingEffects } from '../store/capture/effects.ts';
import { addLearning, asOneUnit, changeLearning, isLive, type Store } from '../store/learnings/write.ts';
import { saidLast } from '../store/learnings/lineage.ts';
import { askMerge } from '../store/learnings/questions.ts';
import { hasUndrainedIn } from '../store/capture/moments.ts';

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

/** What a person took back: written from an effect of that kind by the drain. */
interface TakenBack {
  about: string;
  quote: string;
  project: string;
}

export interface Relevant {
  learning: Learning;
  relevance: number;
}

export interface RetractorParts {
  store: Store;
  log: Log;
  resolve: () => Resolve;
  /** The learnings of a project that bear on a text most, best first. */
  findRelevant: (about: string, project: string) => Promise<Relevant[]>;
  /** Older sessions are still being read: what is taken back may not be known yet. */
  isReading: () => boolean;
}

const SETTLE = 500; // ms: a note that is being written now may be the one that is meant

/** Carries out what people take back in later sessions. It needs to know what is meant, so it can wait for nobody in a transaction. */
export class Retractor {
  readonly #parts: RetractorParts;
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(parts: RetractorParts) {
    this.#parts = parts;
  }

  wake(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.run();
    }, SETTLE).unref();
  }

  async run(): Promise<void> {
    const { store, log, isReading } = this.#parts;
    if (this.#running || !store.db.open) return;
    this.#running = true;
    try {
      for (const effect of waitingEffects(store.db).filter(({ kind }) => kind === 'forget')) {
        if (isReading() || !(await this.#carryOut(effect))) this.wake();
      }
    } catch (error) {
      if (store.db.open) log.error('putting away what was taken back', error);
    } finally {
      this.#running = false;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** False while it has to wait. */
  async #carryOut({ id, at, detail }: StoredEffect): Promise<boolean> {
    const { store, resolve, findRelevant } = this.#parts;
    const said = JSON.parse(detail) as TakenBack; // as noteEffects wrote it
    if (hasUndrainedIn(store.db, said.project, at)) return false;
    const known = resolve()(retraction.switch) ? await findRelevant(said.about, said.project) : [];
    const candidates = known.filter(({ learning }) => isLive(learning) && saidLast(store.db, learning) < at);
    const verdict = decide(candidates, resolveAll(retraction.knobs, resolve()));
    asOneUnit(store, () => {
      if (verdict?.sure) putAway(store, verdict.learning, said);
      else if (verdict) ask(store, verdict, said);
      effectDone(store.db, id);
    });
    return true;
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
