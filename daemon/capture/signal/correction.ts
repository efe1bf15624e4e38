import { humanSignal } from '../judge/human-signal.ts';

export const correction = humanSignal({
  kind: 'correction',
  type: 'correction',
  doc: 'What a person corrects, often as a question right after the agent claimed to be done.',
  keeps: 'Capture what you correct',
});
