import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';

/** Signals are always stored in `store/learnings/signals.ts`; this switch decides how strictly a file is read. */
export const volatileSignals = {
  id: 'knowledge.volatile-signals',
  seeds: ['S9'],
  doc: 'Keeps counts, dates of use and utility out of your files: a note changes on disk only when its meaning does.',
  switch: flag(
    'REFLECT_STRIP_SIGNALS',
    true,
    'Remove counts and other signals from note files; off rejects such a file',
  ),
  knobs: {},
} satisfies PortCard;
