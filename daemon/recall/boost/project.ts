import { flag } from '../../ports/knob.ts';
import { alphaKnob, applyBoost } from '../bounded-boost.ts';
import { recallPort } from '../port.ts';

export const project = recallPort({
  id: 'boost.project',
  seeds: ['R16'],
  doc: 'When searching every project, prefers the current one among equal results.',
  switch: flag('RECALL_PROJECT_BOOST', true, 'Prefer the current project when searching every project'),
  knobs: {
    alpha: alphaKnob(
      'RECALL_PROJECT_ALPHA',
      0.2,
      'How much the current project may raise a score, at most by half of it',
    ),
  },
  off: (candidates) => candidates,
  run(candidates, { scope: { project: here }, shards }, { alpha }) {
    // Within one project there is nothing to prefer.
    if (shards !== null || !here) return { result: candidates, says: 'only one project searched' };
    return applyBoost(candidates, alpha, `by project: ${here}`, ({ learning }) =>
      learning.project === here ? 1 : 0.5,
    );
  },
});
