import { DaemonError } from '#contract/errors.ts';
import type { Inference } from '../../inference/inference.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import { searchText } from '../../store/search/note-text.ts';
import { RESERVED_MS } from '../context.ts';
import { byScore, type Ranked, recallPort } from '../port.ts';
import { standardScores } from '../standard-scores.ts';

const PASSAGE = 2_000; // characters; the model's window holds no more

export const crossEncoder = recallPort({
  id: 'rerank.cross-encoder',
  seeds: ['R2'],
  doc: 'Reads the best candidates together with the question and reranks them; for a hook, as many as time allows.',
  switch: flag('RECALL_CROSS_ENCODER', true, 'Rerank with the cross-encoder if it is downloaded'),
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
      doc: 'Its share in the score; 1 ranks by it alone',
    }),
    timeout: number('RECALL_CE_TIMEOUT', {
      default: 5,
      min: 0.05,
      max: 120,
      doc: 'Seconds after which recall continues without it',
    }),
  },
  off: (candidates) => candidates,
  async run(candidates, { question, inference, deadline }, { window, weight, timeout }) {
    const model = inference.available('cross-encoder');
    if (!model)
      return { result: candidates, says: 'the cross-encoder is not available; the fused order stands' };
    const wanted = candidates.slice(0, window);
    if (wanted.length === 0) return { result: candidates, says: 'nothing to read' };
    const latest = performance.now() + timeout * 1_000;
    const time =
      deadline === null
        ? { until: latest }
        : { until: Math.min(latest, deadline - RESERVED_MS), batch: BATCH };
    const { scores, problem } = await readInTime(inference, question.text, wanted.map(passage), time);
    if (scores.length === 0) return { result: candidates, says: `the fused order stands: ${problem}` };
    const read = wanted.slice(0, scores.length);
    const all = read.length === wanted.length ? '' : ` of ${wanted.length}, as far as time allowed`;
    return {
      result: blend(read, scores, weight, candidates.slice(read.length)),
      says: `${model.id} read ${read.length}${all}`,
    };
  },
});

const CROWDED = 400; // ms until it begins to read; in a crowd, the fused order is better than a long wait
const BATCH = 4; // passages; a batch cannot be stopped, so a small one wastes little

/**
 * How well each passage answers, best candidates first, as many as time allows. A caller who can wait gets all in one
 * go; in a hurry they are read in batches, until another as slow as the last would be late. What was read counts.
 */
async function readInTime(
  inference: Inference,
  query: string,
  passages: string[],
  { until, batch = passages.length }: { until: number; batch?: number },
): Promise<{ scores: number[]; problem: string }> {
  const scores: number[] = [];
  let lastTook = 0;
  while (scores.length < passages.length) {
    const start = performance.now();
    if (start + lastTook >= until) return { scores, problem: 'there is no time for it' };
    try {
      const next = passages.slice(scores.length, scores.length + batch);
      scores.push(...(await inference.rerank(query, next, { timeoutMs: until - start, beginMs: CROWDED })));
    } catch (error) {
      if (error instanceof DaemonError) return { scores, problem: error.message };
      throw error;
    }
    lastTook = performance.now() - start;
  }
  return { scores, problem: '' };
}

function passage({ learning }: Ranked): string {
  const { title, gist, text } = searchText(learning);
  return [title, gist, text].join('\n').slice(0, PASSAGE);
}

/**
 * Mixes both as standard scores within this query, as neither compares across queries, and spreads them as wide as the
 * fused order was: later steps multiply, so an order must stay as decisive as it was. Candidates that were not read
 * stay behind.
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
