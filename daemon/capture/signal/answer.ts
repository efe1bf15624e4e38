import { humanSignal } from '../judge/human-signal.ts';

export const answer = humanSignal({
  kind: 'answer',
  type: 'decision',
  doc: 'What a person answers to a question tool of the agent: a decision, with its question as context.',
  keeps: 'Capture your answers to the questions agents ask',
});
