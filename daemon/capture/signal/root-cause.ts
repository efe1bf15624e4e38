import { findingSignal } from '../judge/finding-signal.ts';

export const rootCause = findingSignal({
  id: 'root-cause',
  type: 'bug-fix',
  doc: 'The cause the agent found for something that went wrong. Of several claims in a turn the strongest is kept, and none that is questioned at once.',
  keeps: 'Capture the causes agents find',
});
