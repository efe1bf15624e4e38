import * as z from 'zod';
import { LearningRow } from './entities.ts';
import { count } from './fields.ts';

/** A note that waits to become a learning, with the reasons it was noticed and the reasons it waits. */
export const Candidate = LearningRow.extend({
  session: z.string(),
  /** The moment it was written from; null when it is gone. */
  momentId: count.nullable(),
  /** The words that triggered capture. */
  quote: z.string(),
  noticed: z.array(z.string()),
  waits: z.array(z.string()),
});
export type Candidate = z.infer<typeof Candidate>;

/** Most candidates of one kind are equally sure to the percent, so people read it in words. */
export function worthKeeping({ confidence }: Pick<Candidate, 'confidence'>): string {
  if (confidence >= 0.6) return 'likely worth keeping';
  return confidence >= 0.3 ? 'perhaps worth keeping' : 'unlikely to be worth keeping';
}
