import { humanSignal } from '../judge/human-signal.ts';

export const queued = humanSignal({
  kind: 'queued',
  type: 'correction',
  doc: 'What a person types while the agent works. Agents often lose these.',
  keeps: 'Capture what you type while the agent works',
});
