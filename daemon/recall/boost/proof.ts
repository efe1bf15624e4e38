import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const proof = recallPort({
  id: 'boost.proof',
  seeds: ['S4'],
  doc: 'Prefers what was learned again and again over what was said once.',
  switch: flag('RECALL_PROOF_BOOST', true, 'Prefer learnings that were met more than once'),
  knobs: {
    alpha: alphaKnob('RECALL_PROOF_ALPHA', 0.1, 'How much proofs may move a score, at most ± half of it'),
  },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'by how often it was met', ({ learning: { signals } }) =>
      signals.proofCount < 1 ? 0.5 : 0.5 + Math.log(signals.proofCount) / 10,
    ),
});
