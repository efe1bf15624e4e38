import { jaccard } from '../text/similarity.ts';
import type { Observation, ObservationAction, ObservationsRevised } from '#contract/distill.ts';
import type { Learning } from '#contract/entities.ts';
import { areOpposed } from '../knowledge/contradictions.ts';
import { flag, integer, number, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { changedSince, evidenceOf } from '../store/distill/consolidation.ts';
import type { ReadableDb } from '../store/db.ts';
import type { Store } from '../store/learnings/write.ts';
import { vectorsOf } from '../store/search/vectors.ts';
import type { Inference } from '../inference/inference.ts';
import { nearestToStored, type Space, spaceOf } from '../knowledge/neighbours.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { findLearning, findLive, learningsBySeq, namesOf, seqOf } from '../store/learnings/learnings.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { listObservations, observationsOfLearnings } from '../store/distill/observations.ts';
import { searchByWords } from '../store/search/words.ts';
import { shardsIn } from '../store/search/shards.ts';
import { wordsOf } from './clusters.ts';
import { commonRule } from './common-rule.ts';
import { ACTOR } from './consolidation.ts';
import { addRevised, noneRevised, reviseObservations } from './observation-actions.ts';

export const observations = {
  id: 'distill.observations',
  seeds: ['O1'],
  doc: 'Collects corrections you repeat into one observation each, with how often you said it.',
  switch: flag('REFLECT_OBSERVATIONS', true, 'Collect observations from corrections and preferences'),
  knobs: {
    sessions: integer('REFLECT_OBSERVATION_SESSIONS', {
      default: 2,
      min: 1,
      max: 100,
      doc: 'The number of sessions in which something must be said to become an observation',
    }),
    similarity: number('REFLECT_OBSERVATION_SIMILARITY', {
      default: 0.6,
      min: 0.1,
      max: 1,
      doc: 'The share of words two corrections must have in common to count as the same',
    }),
    // Of the labelled lessons of different sessions, nearly all pairs from 0.8 on say one thing; at 0.75 every third is
    // another.
    meaning: number('REFLECT_OBSERVATION_MEANING', {
      default: 0.8,
      min: 0,
      max: 1,
      doc: 'How similar in meaning two corrections must be to count as the same, 0…1; 1 compares words only',
    }),
  },
} satisfies PortCard;

/** Stored as the reason, and compared with it later, so the text must not change. */
const LEARNINGS_GONE = 'the learnings it was drawn from are gone';
const OBSERVED_TYPES = ['correction', 'preference', 'policy'];

const OBSERVED_THROUGH = 'observed-through';

/** Reads corrections since the last run: said in enough sessions, one becomes or proves an observation. */
export function* gatherObservations(
  store: Store,
  inference: Pick<Inference, 'available'>,
  resolve: UserResolve,
): Generator<void, ObservationsRevised> {
  const { db } = store;
  const total = noneRevised();
  if (!resolve(observations.switch)) return total;
  const alike: Alike = { store, resolve, space: spaceOf(db, inference) };
  const through = knowledgeVersion(db);
  let seen = Number(getMeta(db, OBSERVED_THROUGH) ?? 0);
  // After an import of an older knowledge base, its change numbers start lower.
  if (seen > through) seen = 0;
  try {
    for (const { id, change } of changedSince(db, seen, OBSERVED_TYPES)) {
      const learning = findLearning(db, id);
      const actions = learning ? actionsFor(alike, learning) : [];
      addRevised(total, reviseObservations(store, actions, ACTOR, resolve));
      seen = change;
      yield;
    }
    seen = through;
  } finally {
    // Also when it is stopped half-way: ten thousand imported notes take a minute, and the next run goes on from here.
    setMeta(db, OBSERVED_THROUGH, String(seen));
  }
  return total;
}

/** All that is needed to find what says the same as a learning. */
interface Alike {
  store: Store;
  resolve: UserResolve;
  /** Vectors to compare meaning by; null while there is no embedder. */
  space: Space | null;
}

function actionsFor(alike: Alike, learning: Learning): ObservationAction[] {
  const { db } = alike.store;
  const [own] = observationsOfLearnings(db, [learning.id]);
  if (!isLive(learning))
    return own?.status === 'active' && !own.learnings.some((id) => findLive(db, id))
      ? [{ action: 'DELETE', targetId: own.id, reason: LEARNINGS_GONE }]
      : [];
  const same = nearlySame(alike, learning);
  const known =
    own ??
    likeliest(listObservations(db, [placeOf(learning)], null), learning, alike.resolve) ??
    observationsOfLearnings(
      db,
      same.map(({ id }) => id),
    )[0];
  const { sources, sessions } = evidenceOf(db, learning.id, learning);
  if (known?.status === 'retired' && known.retiredReason !== LEARNINGS_GONE) return []; // a person retired it
  if (known) {
    const again: ObservationAction[] =
      known.status === 'retired'
        ? [{ action: 'RESTORE', targetId: known.id, reason: 'its learning is back' }]
        : [];
    return [
      ...again,
      { action: 'UPDATE', targetId: known.id, ids: sources, learnings: [learning.id], reason: 'said again' },
    ];
  }
  return firstObservation(alike, learning, same, { sources, sessions });
}

/** A correction that was not said often enough counts together with others that say nearly the same. */
function firstObservation(
  { store, resolve }: Alike,
  learning: Learning,
  same: readonly Learning[],
  own: { sources: string[]; sessions: string[] },
): ObservationAction[] {
  const evidence = [own, ...same.map((other) => evidenceOf(store.db, other.id, other))];
  const sessions = new Set(evidence.flatMap((each) => each.sessions));
  if (sessions.size < resolve(observations.knobs.sessions)) return [];
  const rule = commonRule([learning, ...same]);
  if (!rule) return [];
  return [
    {
      action: 'CREATE',
      content: rule.text,
      project: placeOf(learning),
      category: rule.from.category,
      ids: [...new Set(evidence.flatMap(({ sources }) => sources))],
      learnings: [learning, ...same].map(({ id }) => id),
      reason: `said in ${sessions.size} sessions`,
    },
  ];
}

const placeOf = ({ scope, project }: Learning) => (scope === 'global' ? '' : project);

/** Other live corrections of the same place that say nearly the same, in the same words or by meaning. */
function nearlySame({ store: { db }, resolve, space }: Alike, learning: Learning): Learning[] {
  const place = placeOf(learning);
  const shards = shardsIn(db, { project: place, branch: null, allBranches: true, everywhere: false });
  const byWords = searchByWords(db, learning.title, shards, MOST_COMPARED).map(({ seq }) => seq);
  const near = space
    ? byMeaning(db, space, learning, resolve(observations.knobs.meaning))
    : new Set<number>();
  const sharesWords = wordsInCommonWith(learning, resolve);
  // Few titles are that similar, and reading a whole note costs more than comparing its title.
  const similar = [...namesOf(db, byWords)].filter(([, { title }]) => sharesWords(title)).map(([seq]) => seq);
  return [...learningsBySeq(db, [...new Set([...similar, ...near])]).values()].filter(
    (other) =>
      other.id !== learning.id &&
      isLive(other) &&
      OBSERVED_TYPES.includes(other.type) &&
      placeOf(other) === place &&
      !areOpposed(other.title, learning.title),
  );
}

function byMeaning(db: ReadableDb, space: Space, { id, ...place }: Learning, least: number): Set<number> {
  const seq = seqOf(db, id);
  const vector = seq === null || least === 1 ? undefined : vectorsOf(db, space.table, [seq]).get(seq);
  if (seq === null || !vector) return new Set();
  const near = nearestToStored(db, space, vector, seq, place, null);
  return new Set(near.filter(({ similarity }) => similarity >= least).map((neighbour) => neighbour.seq));
}

const MOST_COMPARED = 50;

function likeliest(
  known: readonly Observation[],
  learning: Learning,
  resolve: UserResolve,
): Observation | undefined {
  const sharesWords = wordsInCommonWith(learning, resolve);
  const words = wordsOf(learning.title, []);
  return known
    .filter(({ content }) => sharesWords(content) && !areOpposed(content, learning.title))
    .toSorted((a, b) => jaccard(wordsOf(b.content, []), words) - jaccard(wordsOf(a.content, []), words))[0];
}

/** True for a text that has enough words in common with this title. */
function wordsInCommonWith({ title }: Learning, resolve: UserResolve): (text: string) => boolean {
  const words = wordsOf(title, []);
  const least = resolve(observations.knobs.similarity);
  return (text) => jaccard(wordsOf(text, []), words) >= least;
}
