import { humanSignal } from '../judge/human-signal.ts';

export const decision = humanSignal({
  kind: 'decision',
  type: 'decision',
  doc: 'What a person decides, often out of what the agent offered.',
  keeps: 'Capture what you decide',
});
