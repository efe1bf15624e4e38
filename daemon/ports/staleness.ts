import { integer } from './knob.ts';

/** Shared by all who must tell what is fresh from what is not; the seeds have one knob for it. */
export const STALENESS_DAYS = integer('REFLECT_STALENESS_DAYS', {
  default: 30,
  min: 1,
  max: 3_650,
  doc: 'Age in days up to which a learning counts as fresh',
});
