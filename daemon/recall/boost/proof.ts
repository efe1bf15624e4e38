import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const proof = recallPort({
  id: 'boost.proof',
  seeds: ['S4'],
  doc: 'Prefers learnings with more proofs.',
  switch: flag('RECALL_PROOF_BOOST', true, 'Prefer learnings that were confirmed more than once'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_PROOF_ALPHA',
      0.1,
      'How much proofs may change a score, at most by ± half of it',
    ),
  },
  off: (candidates) => candidates,
  run: (candidates, _context, { alpha }) =>
    applyBoost(candidates, alpha, 'by number of proofs', ({ learning: { signals } }) =>
      signals.proofCount < 1 ? 0.5 : 0.5 + Math.log(signals.proofCount) / 10,
    ),
});
