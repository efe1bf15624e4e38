import { DaemonError } from '#contract/errors.ts';
import { calibrated } from '../../inference/similarity.ts';
import { flag, integer } from '../../ports/knob.ts';
import { searchByVector } from '../../store/vectors.ts';
import { recallPort } from '../port.ts';

const PATIENCE = 2_000; // ms for embedding one question; later than that, words alone are the better answer

export const vector = recallPort({
  id: 'arm.vector',
  seeds: [],
  doc: 'Finds learnings that mean the same in other words.',
  switch: flag('RECALL_VECTOR_ARM', true, 'Search by meaning'),
  knobs: { depth: integer('RECALL_VECTOR_DEPTH', { default: 50, min: 1, max: 500, doc: 'How many candidates to bring' }) },
  off: () => [],
  async run(_input, { query, db, shards, inference, vectors }, { depth }) {
    const model = inference.available('embedder');
    if (!model || !vectors) return { result: [], says: 'the embedder is not there; searched by words only' };
    try {
      const embedding = await inference.embedQuery('embedder', query, { timeoutMs: PATIENCE });
      const matches = searchByVector(db, vectors, embedding, shards, depth);
      return {
        result: matches.map(({ seq, cosine }) => ({ seq, score: calibrated(model, cosine), note: `cosine ${cosine.toFixed(3)}` })),
        says: `${matches.length} by meaning (${model.id})`,
      };
    } catch (error) {
      // An arm may help, never block: whatever the model does, the words still answer.
      if (error instanceof DaemonError) return { result: [], says: `no search by meaning: ${error.message}` };
      throw error;
    }
  },
});
