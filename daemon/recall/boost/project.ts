import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const project = recallPort({
  id: 'boost.project',
  seeds: ['R16'],
  doc: 'Looking everywhere, prefers your own project over an equally good answer from elsewhere.',
  switch: flag('RECALL_PROJECT_BOOST', true, 'Prefer the current project when looking everywhere'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_PROJECT_ALPHA',
      0.2,
      'How much the own project may move a score, at most + half of it',
    ),
  },
  off: (candidates) => candidates,
  run(candidates, { scope: { project: here }, shards }, { alpha }) {
    // Within one project there is nothing to prefer.
    if (shards !== null || !here) return { result: candidates, says: 'only one project is seen' };
    return applyBoost(candidates, alpha, `by project: ${here}`, ({ learning }) =>
      learning.project === here ? 1 : 0.5,
    );
  },
});
