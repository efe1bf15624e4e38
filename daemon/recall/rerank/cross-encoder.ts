import { DaemonError } from '#contract/errors.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import { searchText } from '../../store/search/note-text.ts';
import { byScore, type Ranked, recallPort } from '../port.ts';
import { standardScores } from '../standard-scores.ts';

const PASSAGE = 2_000; // characters; the model's window holds no more

export const crossEncoder = recallPort({
  id: 'rerank.cross-encoder',
  seeds: ['R2'],
  doc: 'Reads the best candidates together with the question and moves up what answers it.',
  switch: flag('RECALL_CROSS_ENCODER', true, 'Rerank with the cross-encoder when its weights are there'),
  knobs: {
    window: integer('RECALL_CE_WINDOW', {
      default: 20,
      min: 1,
      max: 100,
      doc: 'How many candidates it reads',
    }),
    weight: number('RECALL_CE_WEIGHT', {
      default: 0.25,
      min: 0,
      max: 1,
      doc: 'Its share in the order; 1 makes it the only key',
    }),
    timeout: number('RECALL_CE_TIMEOUT', {
      default: 5,
      min: 0.05,
      max: 120,
      doc: 'Seconds after which recall goes on without it',
    }),
  },
  off: (candidates) => candidates,
  async run(candidates, { question, inference }, { window, weight, timeout }) {
    const model = inference.available('cross-encoder');
    if (!model)
      return { result: candidates, says: 'the cross-encoder is not available; the fused order stands' };
    const read = candidates.slice(0, window);
    if (read.length === 0) return { result: candidates, says: 'nothing to read' };
    try {
      const scores = await inference.rerank(question.text, read.map(passage), { timeoutMs: timeout * 1_000 });
      return {
        result: blend(read, scores, weight, candidates.slice(window)),
        says: `${model.id} read ${read.length}`,
      };
    } catch (error) {
      if (error instanceof DaemonError)
        return { result: candidates, says: `the fused order stands: ${error.message}` };
      throw error;
    }
  },
});

function passage({ learning }: Ranked): string {
  const { title, gist, text } = searchText(learning);
  return [title, gist, text].join('\n').slice(0, PASSAGE);
}

/**
 * Mixes both as standard scores within this query, as neither compares across queries, and spreads them as wide as the fused
 * order was: later steps multiply, so an order must stay as decisive as it was. Candidates that were not read stay behind.
 */
function blend(read: Ranked[], answers: number[], weight: number, unread: Ranked[]): Ranked[] {
  const fused = standardScores(read.map(({ score }) => Math.log(Math.max(score, Number.MIN_VALUE))));
  const reranked = standardScores(answers);
  const mixed = read.map(
    (_, index) =>
      ((1 - weight) * (fused.scores[index] ?? 0) + weight * (reranked.scores[index] ?? 0)) *
      (fused.deviation || 1),
  );
  const best = Math.max(...mixed);
  const lowest = Math.exp(Math.min(...mixed) - best);
  const blended = read.map((candidate, index) => ({
    ...candidate,
    score: Math.exp((mixed[index] ?? 0) - best),
    note: `answers ${(answers[index] ?? 0).toFixed(3)}`,
  }));
  const highestUnread = Math.max(...unread.map(({ score }) => score), Number.MIN_VALUE);
  return [
    ...byScore(blended),
    ...unread.map((candidate) => ({ ...candidate, score: (candidate.score / highestUnread) * lowest })),
  ];
}
