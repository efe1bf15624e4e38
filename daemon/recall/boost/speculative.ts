import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const speculative = recallPort({
  id: 'boost.speculative',
  seeds: [],
  doc: 'Puts what was only guessed from an idle session behind what was said (the down-rank of SG3).',
  switch: flag('RECALL_SPECULATIVE_BOOST', true, 'Put guesses behind what was said'),
  knobs: { alpha: alphaKnob('RECALL_SPECULATIVE_ALPHA', 0.2, 'How much a guess loses, at most half of it') },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'guesses last', ({ learning }) => (learning.speculative ? 0 : 0.5)),
});
