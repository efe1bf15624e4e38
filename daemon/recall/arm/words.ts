import { flag, integer } from '../../ports/knob.ts';
import { searchByWords } from '../../store/search-index.ts';
import { recallPort } from '../port.ts';

export const words = recallPort({
  id: 'arm.words',
  seeds: [],
  doc: 'Finds learnings that share words with the question (BM25).',
  switch: flag('RECALL_BM25_ARM', true, 'Search by words'),
  knobs: { depth: integer('RECALL_BM25_DEPTH', { default: 50, min: 1, max: 500, doc: 'How many candidates to bring' }) },
  off: () => [],
  run(_input, { question, db, shards, only }, { depth }) {
    const result = searchByWords(db, question.words, shards, depth, only);
    return { result, says: `${result.length} by words` };
  },
});
