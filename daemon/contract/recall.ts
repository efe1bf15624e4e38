import * as z from 'zod';
import { Learning } from './entities.ts';
import { count, epochMs } from './fields.ts';

/** A question that recall could not answer (SG6). */
export const Gap = z.strictObject({
  query: z.string(),
  project: z.string(),
  times: count,
  sessions: count,
  lastAt: epochMs,
});
export type Gap = z.infer<typeof Gap>;

/** A candidate after one step of a recall, with the step's note about it. */
const TraceCandidate = z.strictObject({
  id: z.string(),
  title: z.string(),
  rank: count,
  score: z.number(),
  note: z.string().optional(),
});
export const TraceStep = z.strictObject({
  stage: z.string(),
  port: z.string(),
  seed: z.string().nullable(),
  on: z.boolean(),
  ms: z.number(),
  /** A sentence on what the step did, or why it did nothing. */
  says: z.string(),
  knobs: z.record(z.string(), z.unknown()),
  candidates: z.array(TraceCandidate),
  dropped: z.array(z.strictObject({ id: z.string(), title: z.string(), reason: z.string() })),
});
export type TraceStep = z.infer<typeof TraceStep>;

export const Hit = z.strictObject({
  learning: Learning,
  score: z.number(),
  rank: count,
  tokens: count,
  /** The words of the question that the learning has, where relevance was judged; none if only the meaning is close. */
  matched: z.array(z.string()).optional(),
  /** How relevant it is to the question, 0…1, where relevance was judged. */
  relevance: z.number().optional(),
  /** The edge of the graph that leads to it from what the question names, such as `a —caused_by→ b`. */
  linked: z.string().optional(),
  /** True for a hit that is not relevant enough to be returned alone. Not an answer; shown apart from the others. */
  weak: z.boolean().optional(),
  /** The requested field, if any (S1); null if the note lacks it. */
  value: z.union([z.string(), z.number()]).nullable().optional(),
});
export type Hit = z.infer<typeof Hit>;

/** A learning that was not relevant enough to be returned. */
export const NearMiss = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** How relevant it is to the question, 0…1. */
  relevance: z.number(),
});
export type NearMiss = z.infer<typeof NearMiss>;
