import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';

/** Where they live is decided in `store/signals.ts`, and nothing can switch that; what can be is how strict a file is read. */
export const volatileSignals = {
  id: 'knowledge.volatile-signals',
  seeds: ['S9'],
  doc: 'Keeps counts, dates of use and utility out of your files: a note changes on disk only when its meaning does.',
  switch: flag(
    'REFLECT_STRIP_SIGNALS',
    true,
    'Take counts and the like out of a file in which somebody wrote them; off refuses such a file',
  ),
  knobs: {},
} satisfies PortCard;
