import { DaemonError } from '#contract/errors.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import { searchText } from '../../store/search-index.ts';
import { byScore, type Ranked, recallPort } from '../port.ts';

const PASSAGE = 2_000; // characters; beyond the model's window they would only cost

export const crossEncoder = recallPort({
  id: 'rerank.cross-encoder',
  seeds: ['R2'],
  doc: 'Reads the best candidates together with the question and moves up what answers it.',
  switch: flag('RECALL_CROSS_ENCODER', true, 'Rerank with the cross-encoder when its weights are there'),
  knobs: {
    window: integer('RECALL_CE_WINDOW', { default: 20, min: 1, max: 100, doc: 'How many candidates it reads' }),
    weight: number('RECALL_CE_WEIGHT', { default: 0.5, min: 0, max: 1, doc: 'Its share in the order; 1 makes it the only key' }),
    timeout: number('RECALL_CE_TIMEOUT', { default: 5, min: 0.05, max: 120, doc: 'Seconds after which recall goes on without it' }),
  },
  off: (candidates) => candidates,
  async run(candidates, { query, inference }, { window, weight, timeout }) {
    const model = inference.available('cross-encoder');
    if (!model) return { result: candidates, says: 'the cross-encoder is not there; the fused order stands' };
    const read = candidates.slice(0, window);
    if (read.length === 0) return { result: candidates, says: 'nothing to read' };
    try {
      const scores = await inference.rerank(query, read.map(passage), { timeoutMs: timeout * 1_000 });
      return { result: blend(read, scores, weight, candidates.slice(window)), says: `${model.id} read ${read.length}` };
    } catch (error) {
      if (error instanceof DaemonError) return { result: candidates, says: `the fused order stands: ${error.message}` };
      throw error;
    }
  },
});

function passage({ learning }: Ranked): string {
  const { title, gist, text } = searchText(learning);
  return [title, gist, text].join('\n').slice(0, PASSAGE);
}

/** Both scores are put on one scale within this query, for neither compares across queries. What was not read stays behind. */
function blend(read: Ranked[], scores: number[], weight: number, unread: Ranked[]): Ranked[] {
  const fused = spread(read.map(({ score }) => score));
  const answers = spread(scores);
  const blended = read.map((candidate, index) => ({
    ...candidate,
    score: 1 + (1 - weight) * (fused[index] ?? 0) + weight * (answers[index] ?? 0),
    note: `answers ${(scores[index] ?? 0).toFixed(3)}`,
  }));
  return [...byScore(blended), ...unread];
}

/** To 0…1 by the lowest and the highest; all equal gives all 0. */
function spread(values: number[]): number[] {
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  return values.map((value) => (range > 0 ? (value - lowest) / range : 0));
}
