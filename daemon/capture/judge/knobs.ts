import { number } from '../../ports/knob.ts';

export const CAPTURE_KNOBS = {
  humanBar: number('REFLECT_CAPTURE_BAR', {
    default: 0.15,
    min: 0.05,
    max: 0.95,
    doc: 'How likely a message of yours must be a lesson to be noticed; most faint ones wait as candidates',
  }),
  agentBar: number('REFLECT_FINDING_BAR', {
    default: 0.12,
    min: 0.05,
    max: 0.95,
    doc: 'How likely a statement of the agent must be a lesson to be noticed; most faint ones wait as candidates',
  }),
};
