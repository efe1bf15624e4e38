import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const utility = recallPort({
  id: 'boost.utility',
  seeds: [],
  doc: 'Prefers learnings with good outcomes over those with bad ones; unreviewed ones keep their place.',
  switch: flag('RECALL_UTILITY_BOOST', true, 'Prefer learnings that have helped'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_UTILITY_ALPHA',
      0.1,
      'How much utility may change a score, at most by ± half of it',
    ),
  },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'by utility', ({ learning: { signals } }) => signals.qValue),
});
