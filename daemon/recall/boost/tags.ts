import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const tags = recallPort({
  id: 'boost.tags',
  seeds: ['R8'],
  doc: 'Prefers learnings with the requested tags.',
  switch: flag('RECALL_TAG_BOOST', true, 'Prefer learnings with the tags of the question'),
  knobs: {
    alpha: alphaKnob('RECALL_TAG_ALPHA', 0.2, 'How much tags may change a score, at most by ± half of it'),
  },
  off: (candidates) => candidates,
  run(candidates, { tags: asked }, { alpha }) {
    if (asked.length === 0) return { result: candidates, says: 'no tags given' };
    return applyBoost(
      candidates,
      alpha,
      `by tags: ${asked.join(', ')}`,
      ({ learning }) => asked.filter((tag) => learning.tags.includes(tag)).length / asked.length,
    );
  },
});
