import { flag, integer, number } from '../../ports/knob.ts';
import {
  entitiesNamed,
  entitiesOnNotes,
  type Edge,
  edgesAround,
  entityNames,
  notesAbout,
} from '../../store/graph/graph.ts';
import { armFloor } from '../arm-floor.ts';
import { armPort, byScore } from '../port.ts';

const SEED_NOTES = 5;
const NAMED_WEIGHT = 1; // the question names the thing itself
const MENTIONED_WEIGHT = 0.6; // a note that shares the question's words names it
const HOP_DECAY = 0.6;
/** Causal edges carry further than mere associations. */
const TYPE_WEIGHT: Readonly<Record<string, number>> = {
  caused_by: 1,
  causes: 1,
  prevents: 1,
  enables: 0.9,
  supersedes: 0.9,
  contradicts: 0.9,
  solves: 0.9,
  requires: 0.7,
  uses: 0.6,
  part_of: 0.6,
  implements: 0.6,
  configures: 0.6,
  triggers: 0.8,
  relates_to: 0.4,
};

export const graph = armPort({
  id: 'arm.graph',
  seeds: ['R1', 'A2'],
  doc: 'Follows causes and dependencies to learnings that share no word with the question.',
  switch: flag('RECALL_GRAPH_ARM', true, 'Search along the graph of entities'),
  knobs: {
    depth: integer('RECALL_GRAPH_DEPTH', {
      default: 20,
      min: 1,
      max: 200,
      doc: 'Maximum number of candidates',
    }),
    hops: integer('RECALL_GRAPH_HOPS', { default: 1, min: 1, max: 3, doc: 'How many edges to follow' }),
    bitemporal: flag(
      'RECALL_BITEMPORAL_EDGES',
      true,
      'When the question names a time, follow only edges that were true then',
    ),
  },
  evidence: 'finds',
  strength: 'score',
  floor: armFloor('RECALL_ARM_GRAPH_MIN_SCORE', 'closeness in the graph'),
  weight: number('RECALL_GRAPH_WEIGHT', {
    default: 4,
    min: 0,
    max: 20,
    doc: 'Weight of results of the graph arm',
  }),
  run(_input, { db, question, shards, only, wordMatches }, { depth, hops, bitemporal }) {
    const when = bitemporal ? question.range : null;
    const near = wordMatches(SEED_NOTES).map(({ seq }) => seq);
    const start = new Map<number, Reach>();
    for (const entity of entitiesOnNotes(db, near)) start.set(entity, { entity, weight: MENTIONED_WEIGHT });
    for (const entity of entitiesNamed(db, question.text))
      start.set(entity, { entity, weight: NAMED_WEIGHT });
    if (start.size === 0) return { result: [], says: 'no known names in the question' };
    const reached = new Map(start);
    let front = start;
    for (let hop = 0; hop < hops && front.size > 0; hop++) {
      front = step(front, edgesAround(db, [...front.keys()], shards, when, only), reached);
      for (const [entity, reach] of front) reached.set(entity, reach);
    }
    const scores = new Map<number, Reach>();
    const about = notesAbout(db, [...reached.keys()], shards, only);
    const notesOn = Map.groupBy(about, ({ entity }) => entity);
    for (const { seq, entity } of about) {
      // A note that led to an edge was found by its words and is no find of that edge.
      const reach = (near.includes(seq) ? start : reached).get(entity);
      if (reach && worth(scores.get(seq)) < worth(reach)) scores.set(seq, reach);
    }
    const best = byScore([...scores].map(([seq, reach]) => ({ seq, score: worth(reach), reach }))).slice(
      0,
      depth,
    );
    const around = [...reached.keys()].slice(0, 3);
    const names = entityNames(db, [...around, ...best.flatMap(({ reach }) => passed(reach))]);
    return {
      result: best.map(({ seq, score, reach }) => {
        const path = pathOf(reach, names);
        const isOneOfFew = (notesOn.get(reach.entity)?.length ?? 0) <= FEW_NOTES;
        return { seq, score, note: path, ...(isOneOfFew && isReason(reach) ? { linked: path } : {}) };
      }),
      says: `${best.length} around ${around.map((entity) => names.get(entity)).join(', ')}${when ? ', as it was then' : ''}`,
    };
  },
});

/** An entity's tie to the question: how strong, and the edge by which it was reached, if one was needed. */
interface Reach {
  entity: number;
  weight: number;
  by?: { origin: Reach; type: string };
}

/** A thing with more notes than this is a subject, such as git, and none of them is the reason. */
const FEW_NOTES = 2;
/** The note at the end of an edge that says why answers, whatever its words. */
const isReason = ({ by }: Reach) =>
  by !== undefined && by.origin.weight === NAMED_WEIGHT && TYPE_WEIGHT[by.type] === 1;

const passed = ({ entity, by }: Reach): number[] => (by ? [...passed(by.origin), entity] : [entity]);

/** Written for what is returned alone: an entity has hundreds of edges. */
const pathOf = ({ entity, by }: Reach, names: ReadonlyMap<number, string>): string =>
  `${by ? `${pathOf(by.origin, names)} —${by.type}→ ` : ''}${names.get(entity)}`;

/** Notes that only an edge leads to: those about what the question names itself are found by their words. */
const DIRECT_SHARE = 0.15;
const worth = (reach: Reach | undefined) => (reach ? reach.weight * (reach.by ? 1 : DIRECT_SHARE) : 0);

/**
 * Entities one more edge away. The note that matches usually names both ends of its edges: the far end is then known
 * already, but only by name, and an edge that ties it to the question says more. What the question itself names needs
 * no edge.
 */
function step(front: Map<number, Reach>, edges: Edge[], known: Map<number, Reach>): Map<number, Reach> {
  const next = new Map<number, Reach>();
  const follow = (from: number, entity: number, { type, strength }: Edge) => {
    const origin = front.get(from);
    if (!origin || from === entity || known.get(entity)?.weight === NAMED_WEIGHT) return;
    const weight = origin.weight * HOP_DECAY * (TYPE_WEIGHT[type] ?? 0.4) * (0.5 + strength / 20);
    if (weight > Math.max(worth(known.get(entity)), worth(next.get(entity))))
      next.set(entity, { entity, weight, by: { origin, type } });
  };
  for (const edge of edges) {
    // In both directions: a cause is as good an answer as an effect.
    follow(edge.source, edge.target, edge);
    follow(edge.target, edge.source, edge);
  }
  return next;
}
