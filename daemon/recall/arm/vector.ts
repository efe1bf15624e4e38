import { calibrated } from '../../inference/similarity.ts';
import { flag, integer } from '../../ports/knob.ts';
import { searchByVector } from '../../store/search/vectors.ts';
import { armFloor } from '../arm-floor.ts';
import { armPort } from '../port.ts';

export const vector = armPort({
  id: 'arm.vector',
  seeds: [],
  doc: 'Finds learnings that mean the same in other words.',
  switch: flag('RECALL_VECTOR_ARM', true, 'Search by meaning'),
  knobs: {
    depth: integer('RECALL_VECTOR_DEPTH', {
      default: 50,
      min: 1,
      max: 500,
      doc: 'Maximum number of candidates',
    }),
  },
  evidence: 'meaning',
  strength: 'score',
  floor: armFloor('RECALL_ARM_VECTOR_MIN_SCORE', 'similarity of meaning (0 unrelated, 1 the same)'),
  async run(_input, { db, shards, only, firstVector }, { depth }) {
    const first = await firstVector();
    if (!first) return { result: [], says: 'no embedder is available; searched by words only' };
    const matches = searchByVector(db, first.table, first.vector, shards, depth, only);
    return {
      result: matches.map(({ seq, cosine }) => ({
        seq,
        score: calibrated(first.model, cosine),
        similarity: calibrated(first.model, cosine),
        note: `cosine ${cosine.toFixed(3)}`,
      })),
      says: `${matches.length} by meaning (${first.model.id})`,
    };
  },
});
