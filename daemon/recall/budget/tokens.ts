import { flag, integer } from '../../ports/knob.ts';
import { type Ranked, recallPort } from '../port.ts';
import { renderLearning } from '../render.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

export const tokens = recallPort({
  id: 'budget.tokens',
  seeds: ['R4'],
  doc: 'Packs the best learnings until the token budget is spent, instead of a fixed number.',
  switch: flag('RECALL_TOKEN_BUDGET', true, 'Keep within the token budget'),
  knobs: {
    maxTokens: integer('REFLECT_RECALL_MAX_TOKENS', {
      default: 0,
      min: 0,
      max: 1_000_000,
      doc: 'Maximum tokens a recall returns; 0 for no limit',
    }),
  },
  off: (candidates) => candidates,
  run(candidates, { limit }, { maxTokens }) {
    const chosen = candidates.slice(0, limit);
    const dropped = new Map(candidates.slice(limit).map(({ seq }) => [seq, `beyond the limit of ${limit}`]));
    if (maxTokens === 0) return { result: chosen, says: `the best ${chosen.length}`, dropped };
    const kept: Ranked[] = [];
    let spent = 0;
    for (const candidate of chosen) {
      const cost = estimateTokens(renderLearning(candidate.learning));
      // The first always fits: an answer that is too long still beats none.
      if (kept.length > 0 && spent + cost > maxTokens) break;
      kept.push(candidate);
      spent += cost;
    }
    for (const { seq } of chosen.slice(kept.length))
      dropped.set(seq, `over the budget of ${maxTokens} tokens`);
    return { result: kept, says: `${kept.length} in ${spent} of ${maxTokens} tokens`, dropped };
  },
});
