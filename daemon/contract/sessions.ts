import * as z from 'zod';
import { count, epochMs } from './fields.ts';

/** A session that a learning was injected into. */
export const SessionUse = z.strictObject({
  session: z.string(),
  /** The first request of the session; '' if it is not known. */
  sessionTitle: z.string(),
  learningId: z.string(),
  title: z.string(),
  /** Injected at session start, with a prompt or before a tool, or recalled by the agent. */
  via: z.enum(['start', 'prompt', 'tool', 'recall']),
  firstAt: epochMs,
  at: epochMs,
  agent: z.string(),
  project: z.string(),
  /** The words of the prompt or question it was found by, none if by meaning alone; null if it came unasked. */
  matched: z.array(z.string()).nullable(),
  /** The result the session reported; null until it does. */
  outcome: z.enum(['pass', 'fail']).nullable(),
});
export type SessionUse = z.infer<typeof SessionUse>;

/** A session that is at work now, or that has moments or injected learnings. */
export const SessionSummary = z.strictObject({
  session: z.string(),
  /** The person’s first request, in one line; '' if it is not known. */
  title: z.string(),
  /** At work within the last minutes. */
  live: z.boolean(),
  agent: z.string(),
  project: z.string(),
  firstAt: epochMs,
  lastAt: epochMs,
  /** Moments noticed in it, and how many of them became or proved a learning. */
  moments: count,
  kept: count,
  /** Moments whose note still waits as a candidate. */
  candidates: count,
  /** Learnings injected, and how many helped or did not. */
  injected: count,
  /** Times it went in circles or broke passing tests. */
  troubles: count,
  well: count,
  badly: count,
});
export type SessionSummary = z.infer<typeof SessionSummary>;
