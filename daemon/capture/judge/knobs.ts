import { number } from '../../ports/knob.ts';

export const CAPTURE_KNOBS = {
  humanBar: number('REFLECT_CAPTURE_BAR', {
    default: 0.15,
    min: 0.05,
    max: 0.95,
    doc: 'Minimum probability that your message is a lesson; weak ones wait as candidates',
  }),
  agentBar: number('REFLECT_FINDING_BAR', {
    default: 0.12,
    min: 0.05,
    max: 0.95,
    doc: 'Minimum probability that a statement of the agent is a lesson; weak ones wait as candidates',
  }),
};
