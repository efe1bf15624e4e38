import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const utility = recallPort({
  id: 'boost.utility',
  seeds: [],
  doc: 'Prefers what has led to good outcomes over what has led to bad ones; what nobody has judged stays where it is.',
  switch: flag('RECALL_UTILITY_BOOST', true, 'Prefer learnings that have served well'),
  knobs: {
    alpha: alphaKnob('RECALL_UTILITY_ALPHA', 0.1, 'How much utility may move a score, at most ± half of it'),
  },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'by how well it has served', ({ learning: { signals } }) => signals.qValue),
});
