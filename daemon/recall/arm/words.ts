import { flag, integer } from '../../ports/knob.ts';
import { recallPort } from '../port.ts';

export const words = recallPort({
  id: 'arm.words',
  seeds: [],
  doc: 'Finds learnings that share words with the question (BM25).',
  switch: flag('RECALL_BM25_ARM', true, 'Search by words'),
  knobs: {
    depth: integer('RECALL_BM25_DEPTH', {
      default: 50,
      min: 1,
      max: 200,
      doc: 'How many candidates to bring',
    }),
  },
  off: () => [],
  run(_input, { wordMatches }, { depth }) {
    const result = wordMatches().slice(0, depth);
    return { result, says: `${result.length} by words` };
  },
});
