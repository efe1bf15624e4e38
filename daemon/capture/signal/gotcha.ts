import { findingSignal } from '../judge/finding-signal.ts';

export const gotcha = findingSignal({
  id: 'gotcha',
  type: 'gotcha',
  doc: 'A limit, a trap or a mistake of its own that the agent came upon while working.',
  keeps: 'Capture the traps agents come upon',
});
