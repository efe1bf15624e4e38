import { flag, integer } from '../../ports/knob.ts';
import { armFloor } from '../arm-floor.ts';
import { armPort } from '../port.ts';

export const words = armPort({
  id: 'arm.words',
  seeds: [],
  doc: 'Finds learnings that share words with the question (BM25).',
  switch: flag('RECALL_BM25_ARM', true, 'Search by words'),
  knobs: {
    depth: integer('RECALL_BM25_DEPTH', {
      default: 50,
      min: 1,
      max: 200,
      doc: 'Maximum number of candidates',
    }),
  },
  evidence: 'words',
  strength: 'coverage',
  floor: armFloor('RECALL_ARM_BM25_MIN_SCORE', 'share of the question’s words'),
  run(_input, { wordMatches }, { depth }) {
    const result = wordMatches(depth);
    return { result, says: `${result.length} by words` };
  },
});
