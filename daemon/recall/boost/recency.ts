import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';
import { DAY } from '../../platform/time.ts';

const YEAR = 365; // days

export const recency = recallPort({
  id: 'boost.recency',
  seeds: ['R8'],
  doc: 'Prefers the more recent of two equally relevant learnings.',
  switch: flag('RECALL_RECENCY_BOOST', true, 'Prefer recent learnings'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_RECENCY_ALPHA',
      0.2,
      'How much recency may change a score, at most by ± half of it',
    ),
  },
  off: (candidates) => candidates,
  run: (candidates, { now }, { alpha }) =>
    applyBoost(candidates, alpha, 'by age', ({ learning }) =>
      Math.max(0.1, 1 - (now() - learning.updatedAt) / DAY / YEAR),
    ),
});
