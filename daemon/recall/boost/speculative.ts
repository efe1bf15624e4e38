import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const speculative = recallPort({
  id: 'boost.speculative',
  seeds: [],
  doc: 'Ranks guesses from idle sessions lower (SG3).',
  switch: flag('RECALL_SPECULATIVE_BOOST', true, 'Rank guesses lower'),
  knobs: {
    alpha: alphaKnob('RECALL_SPECULATIVE_ALPHA', 0.2, 'How much a guess loses, at most by half of its score'),
  },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'guesses ranked lower', ({ learning }) => (learning.speculative ? 0 : 0.5)),
});
