import { integer } from './knob.ts';

/** The one knob of the seeds that decides what counts as stale; everything that needs it shares it. */
export const STALENESS_DAYS = integer('REFLECT_STALENESS_DAYS', {
  default: 30,
  min: 1,
  max: 3_650,
  doc: 'Days for which a learning counts as recent',
});
