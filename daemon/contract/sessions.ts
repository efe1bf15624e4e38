import * as z from 'zod';
import { count, epochMs } from './fields.ts';

/** A session that was given a learning. */
export const SessionUse = z.strictObject({
  session: z.string(),
  learningId: z.string(),
  title: z.string(),
  /** When it was given: as the session started, with a prompt, before a tool, or because the agent asked. */
  via: z.enum(['start', 'prompt', 'tool', 'recall']),
  firstAt: epochMs,
  at: epochMs,
  agent: z.string(),
  project: z.string(),
  /** How the session judged it in the end; null while nothing did. */
  outcome: z.enum(['pass', 'fail']).nullable(),
});
export type SessionUse = z.infer<typeof SessionUse>;

/** A session of an agent, as far as something was noticed in it or it was given something. */
export const SessionSummary = z.strictObject({
  session: z.string(),
  agent: z.string(),
  project: z.string(),
  firstAt: epochMs,
  lastAt: epochMs,
  /** Moments noticed in it, and how many of them became or proved a learning. */
  moments: count,
  kept: count,
  /** Learnings it was given, and how it judged them in the end. */
  given: count,
  well: count,
  badly: count,
});
export type SessionSummary = z.infer<typeof SessionSummary>;
