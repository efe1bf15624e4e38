import { flag, number } from '../../ports/knob.ts';
import { recallPort } from '../port.ts';
import { isWithin } from '../within.ts';
import { RELEVANT_FROM, relevanceTo } from './out-of-domain.ts';

export const period = recallPort({
  id: 'gate.period',
  seeds: ['R6'],
  doc: 'If a question names an exact time, returns only what was learned then; if nothing relevant is left, searches all times and says so.',
  switch: flag('RECALL_TEMPORAL_FILTER', true, 'Return only what was learned in the time a question names'),
  knobs: {
    certainty: number('RECALL_TEMPORAL_FILTER_CERTAINTY', {
      default: 0.8,
      min: 0,
      max: 1,
      doc: 'How exactly a question must name its time: a date is 1, "last week" 0.9, "in March" 0.6, "recently" 0.4',
    }),
  },
  off: (candidates) => candidates,
  run(candidates, { question: { range, words }, between }, { certainty }) {
    if (!range || between) return { result: candidates, says: 'no time in the question' };
    if (range.confidence < certainty)
      return { result: candidates, says: `"${range.matchedText}" names no exact time` };
    const inside = candidates.filter(({ learning }) => isWithin(learning, range));
    const relevance = relevanceTo(words);
    if (!inside.some((candidate) => relevance(candidate) >= RELEVANT_FROM))
      return {
        result: candidates,
        says: `nothing relevant was learned “${range.matchedText}”`,
        notice: `Nothing relevant was learned “${range.matchedText}”; searched all times instead.`,
      };
    const reason = `was not learned “${range.matchedText}”`;
    return {
      result: inside,
      says: `${inside.length} of ${candidates.length} were learned “${range.matchedText}”`,
      dropped: new Map(
        candidates.filter((candidate) => !inside.includes(candidate)).map(({ seq }) => [seq, reason]),
      ),
    };
  },
});
