import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const confidence = recallPort({
  id: 'boost.confidence',
  seeds: ['S3'],
  doc: 'Prefers the more confident of two learnings.',
  switch: flag('RECALL_CONFIDENCE_BOOST', true, 'Prefer confident learnings'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_CONFIDENCE_ALPHA',
      0.2,
      'How much confidence may change a score, at most by ± half of it',
    ),
  },
  off: (candidates) => candidates,
  // Learnings lie between 0.3 (a guess) and 0.9 (proven); that span is the whole scale.
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'by confidence', ({ learning }) => (learning.confidence - 0.3) / 0.6),
});
