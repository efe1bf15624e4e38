import type { Consolidation, DistillStatus } from '#contract/distill.ts';
import type { Learning, Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import type { Turns } from '../platform/turns.ts';
import { areOpposed } from '../knowledge/contradictions.ts';
import { nearestToStored, spaceOf } from '../knowledge/neighbours.ts';
import { flag, integer, type KnobValues, number, type UserResolve, resolveAll } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { learningsOfType } from '../store/learnings/find.ts';
import {
  type Comparable,
  comparableAfter,
  lastPass,
  countLive,
  learnedSince,
  recordPass,
} from '../store/distill/consolidation.ts';
import { addLearning, asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { learningsBySeq } from '../store/learnings/learnings.ts';
import { vectorsOf } from '../store/search/vectors.ts';
import { clustersOf, wordsOf } from './clusters.ts';
import { commonRule } from './common-rule.ts';
import { bodyOf, draftPrinciple, PRINCIPLE, sourcesOf } from './principle.ts';
import { DAY } from '../platform/time.ts';
import { slices } from '../platform/slices.ts';

const CONSOLIDATION_KNOBS = {
  threshold: integer('REFLECT_SYNTHESIS_AUTO_THRESHOLD', {
    default: 30,
    min: 1,
    max: 100_000,
    doc: 'The number of new learnings that starts a consolidation before the next regular one',
  }),
  days: integer('REFLECT_SYNTHESIS_DAYS', {
    default: 7,
    min: 1,
    max: 365,
    doc: 'Days after which learnings are consolidated in any case',
  }),
  similarity: number('REFLECT_SYNTHESIS_SIMILARITY', {
    default: 0.5,
    min: 0.1,
    max: 1,
    doc: 'The share of words and tags two learnings must have in common to belong together',
  }),
  meaning: number('REFLECT_SYNTHESIS_MEANING', {
    default: 0.75,
    min: 0,
    max: 1,
    doc: 'How similar in meaning two learnings must be to belong together, 0…1; 1 compares words only',
  }),
  byWriter: flag('REFLECT_SYNTHESIS_WRITER', false, 'Let the writer word the principles, if it is a model'),
  size: integer('REFLECT_SYNTHESIS_SIZE', {
    default: 3,
    min: 2,
    max: 100,
    doc: 'How many learnings must belong together before a principle is proposed',
  }),
};

/**
 * The meaning threshold was measured on the 133 labelled learnings of real sessions with bge-small: 0.75 finds two
 * groups of three, 0.7 three groups of three and four, each about one subject; at 0.6 single linkage chains 33 of them
 * together.
 */
export const consolidation = {
  id: 'distill.consolidation',
  seeds: ['C2'],
  doc: 'Proposes principles from related learnings, at least every week.',
  switch: flag('REFLECT_SYNTHESIS', true, 'Propose principles from learnings that belong together'),
  knobs: CONSOLIDATION_KNOBS,
} satisfies PortCard;

export const ACTOR = 'distill';
/** Types with their own consolidation, and the results of one. */
const NOT_COMPARED = [PRINCIPLE, 'experience', 'fact'];

type Due = Omit<DistillStatus, 'running'> & { why: Consolidation['why'] | null };

/** Every pass looks at all learnings: while thousands arrive, one for each handful would never end. */
const LEAST_SHARE = 0.02;

/** Counts what is new since the last pass and says whether another is due. Every pass resets the count. */
export function consolidationDue({ db, now }: Store, resolve: UserResolve): Due {
  const last = lastPass(db);
  const { threshold: fewest, days } = resolveAll(CONSOLIDATION_KNOBS, resolve);
  const threshold = Math.max(fewest, Math.ceil(countLive(db) * LEAST_SHARE));
  const { learnings: since, firstAt } = learnedSince(db, last?.through ?? 0, NOT_COMPARED);
  const enough = since >= threshold;
  const dueAt =
    since === 0 || firstAt === null ? null : enough ? firstAt : (last?.at ?? firstAt) + days * DAY;
  const on = resolve(consolidation.switch);
  const why = !on || dueAt === null ? null : enough ? 'threshold' : now() >= dueAt ? 'weekly' : null;
  return { last: last && withoutThrough(last), since, threshold, dueAt: on ? dueAt : null, why };
}

const withoutThrough = ({ through: _, ...pass }: Consolidation & { through: number }): Consolidation => pass;

interface ConsolidationParts {
  store: Store;
  inference: Pick<Inference, 'available'>;
  resolve: UserResolve;
  /** Asks a writer to word a principle; null to keep the draft. */
  word?: ((members: readonly Learning[], draft: Note) => Promise<Partial<Note> | null>) | undefined;
  turns: Turns;
}

const LOOKED_AT = 500; // rows per query

/** One pass over all live learnings. An interrupted pass throws and leaves the count unchanged. */
export async function consolidate(
  parts: ConsolidationParts,
  why: Consolidation['why'],
): Promise<Consolidation> {
  const { store, resolve, turns } = parts;
  const { db } = store;
  const knobs = resolveAll(CONSOLIDATION_KNOBS, resolve);
  const seen = lastPass(db)?.through ?? 0;
  const { since } = consolidationDue(store, resolve);
  const items: Comparable[] = [];
  const after = (last?: Comparable) => comparableAfter(db, last?.seq ?? 0, NOT_COMPARED, LOOKED_AT);
  for (const slice of slices(after)) {
    items.push(...slice);
    await turns.next();
  }
  const clusters = await findClusters(parts, items, knobs, seen);
  const pass: Consolidation = {
    at: store.now(),
    why,
    learnings: since,
    clusters: clusters.length,
    proposed: 0,
    extended: 0,
  };
  const known = knownPrinciples(store);
  for (const seqs of clusters) {
    const outcome = await propose(parts, [...learningsBySeq(db, seqs).values()], known);
    if (outcome) pass[outcome] += 1;
    await turns.next();
  }
  recordPass(db, { ...pass, through: items.at(-1)?.seq ?? seen });
  return pass;
}

async function findClusters(
  parts: ConsolidationParts,
  items: Comparable[],
  knobs: KnobValues<typeof CONSOLIDATION_KNOBS>,
  seen: number,
): Promise<number[][]> {
  const titles = new Map(items.map(({ seq, title }) => [seq, title]));
  const apart = (one: number, other: number) => areOpposed(titles.get(one) ?? '', titles.get(other) ?? '');
  const links = await linksByMeaning(
    parts,
    items.filter(({ seq }) => seq > seen).slice(-MOST_BY_MEANING),
    knobs.meaning,
  );
  const members: Array<Parameters<typeof clustersOf>[0][number]> = [];
  for (const { seq, shard, title, tags } of items) {
    members.push({ seq, place: shard, words: wordsOf(title, tags) });
    await parts.turns.next(); // the words of 10 000 learnings take a tenth of a second
  }
  const steps = clustersOf(members, { threshold: knobs.similarity, links, apart });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.filter((cluster) => cluster.length >= knobs.size);
    await parts.turns.next();
  }
}

/** Contradicting learnings must not end up in one principle. */

const MOST_BY_MEANING = 2_000; // the newest ones only, because each takes a search

/** Pairs of new learnings and their neighbours by meaning; none where the embedder is not available. */
async function linksByMeaning(
  { store: { db }, inference, turns }: ConsolidationParts,
  fresh: Comparable[],
  least: number,
): Promise<Array<[number, number]>> {
  const space = least < 1 ? spaceOf(db, inference) : null;
  const links: Array<[number, number]> = [];
  for (const { seq } of space ? fresh : []) {
    const vector = space && vectorsOf(db, space.table, [seq]).get(seq);
    const [learning] = vector ? learningsBySeq(db, [seq]).values() : [];
    if (space && vector && learning) {
      for (const near of nearestToStored(db, space, vector, seq, learning, null))
        if (near.similarity >= least) links.push([seq, near.seq]);
    }
    await turns.next();
  }
  return links;
}

/** All principles by their source learnings, rejected ones too, because those must not be proposed again. */
function knownPrinciples({ db }: Store): Map<string, Learning> {
  return new Map(
    learningsOfType(db, { type: PRINCIPLE })
      .toReversed()
      .flatMap((principle) => sourcesOf(principle).map((source) => [source, principle] as const)),
  );
}

async function propose(
  { store, word, resolve }: ConsolidationParts,
  members: Learning[],
  known: Map<string, Learning>,
): Promise<'proposed' | 'extended' | null> {
  const principle = members.map(({ id }) => known.get(id)).find((found) => found !== undefined);
  if (principle) return extend(store, principle, members) ? 'extended' : null;
  const [first] = members;
  if (!first) return null;
  const common = commonRule(members);
  const draft = draftPrinciple(members, common ?? { text: first.title, from: first });
  const worded = resolve(CONSOLIDATION_KNOBS.byWriter) ? await word?.(members, draft) : null;
  // Without a model, learnings of which none says a rule make no principle: a chat line would be one.
  if (!common && !worded) return null;
  const note = { ...draft, ...worded };
  const { changeId } = asOneUnit(store, () =>
    addLearning(store, note, {
      actor: ACTOR,
      kind: 'create',
      reason: `${members.length} learnings belong together`,
    }),
  );
  return changeId === 0 ? null : 'proposed';
}

/** Adds sources and proofs to a principle. Its wording stays, because a person may have edited it. */
function extend(store: Store, principle: Learning, members: Learning[]): boolean {
  const sources = sourcesOf(principle);
  const added = members.filter(({ id }) => !sources.includes(id));
  if (added.length === 0 || (principle.status !== 'proposed' && principle.status !== 'active')) return false;
  const patch = {
    metadata: { ...principle.metadata, sources: [...sources, ...added.map(({ id }) => id)] },
    ...(principle.status === 'proposed' ? { body: bodyOf(members) } : {}),
  };
  changeLearning(store, principle.id, patch, {
    actor: ACTOR,
    kind: 'update',
    reason: `${added.length} more learnings belong to it`,
    proofs: added.length,
  });
  return true;
}
