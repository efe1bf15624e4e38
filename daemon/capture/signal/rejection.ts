import { humanSignal } from '../judge/human-signal.ts';

export const rejection = humanSignal({
  kind: 'rejection',
  type: 'correction',
  doc: 'What a person says when turning a tool call or a plan down: the best corrections there are.',
  keeps: 'Capture what you say when you turn something down',
});
