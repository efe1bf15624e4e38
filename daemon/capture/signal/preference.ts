import { humanSignal } from '../judge/human-signal.ts';

export const preference = humanSignal({
  kind: 'preference',
  type: 'preference',
  doc: 'How a person wants things to be done.',
  keeps: 'Capture how you want things done',
});
