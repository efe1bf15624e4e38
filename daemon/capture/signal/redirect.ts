import { humanSignal } from '../judge/human-signal.ts';

export const redirect = humanSignal({
  kind: 'redirect',
  type: 'correction',
  doc: 'What a person says after stopping the agent.',
  keeps: 'Capture what you say after stopping the agent',
});
