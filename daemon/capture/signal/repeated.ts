import { humanSignal } from '../judge/human-signal.ts';

export const repeated = humanSignal({
  kind: 'repeated',
  type: 'correction',
  doc: 'What a person has to say again.',
  keeps: 'Capture what you have to say twice',
});
