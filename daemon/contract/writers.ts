import * as z from 'zod';
import { count, epochMs } from './fields.ts';

export const WriterId = z.enum(['heuristic', 'claude-code', 'codex', 'gemini-cli', 'ollama']);
export type WriterId = z.infer<typeof WriterId>;

/** A writer that may be on this machine. */
export const FoundWriter = z.strictObject({
  id: WriterId,
  name: z.string(),
  available: z.boolean(),
  version: z.string(),
  /** Models it says it has; empty where it chooses itself. */
  models: z.array(z.string()),
  chosen: z.boolean(),
});
export type FoundWriter = z.infer<typeof FoundWriter>;

/** The result of asking a model: one of the five shapes of an answer (M2), or none. */
export const RunOutcome = z.enum(['valid', 'prose', 'idle', 'poisoned', 'malformed', 'failed', 'rejected']);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** One time a model was asked for a note. */
export const WriterRun = z.strictObject({
  at: epochMs,
  writer: z.string(),
  model: z.string(),
  /** The key of the moment it was asked about. */
  moment: z.string(),
  tokensIn: count,
  tokensOut: count,
  /** As the provider says; null when it does not. */
  costUsd: z.number().nonnegative().nullable(),
  ms: count,
  outcome: RunOutcome,
  detail: z.string(),
});
export type WriterRun = z.infer<typeof WriterRun>;

export const WriterDay = z.strictObject({
  day: z.string(),
  runs: count,
  notes: count,
  tokensIn: count,
  tokensOut: count,
  costUsd: z.number().nonnegative().nullable(),
});
export type WriterDay = z.infer<typeof WriterDay>;

/** How much of a provider's allowance is used, as it said last (M3). */
export const QuotaReading = z.strictObject({
  window: z.string(),
  utilization: z.number().nonnegative(),
  /** The provider said no, or what we use is paid for beyond the allowance. */
  closed: z.boolean(),
  resetsAt: epochMs.nullable(),
  seenAt: epochMs,
});
export type QuotaReading = z.infer<typeof QuotaReading>;

export const WritersStatus = z.strictObject({
  writer: z.string(),
  model: z.string(),
  /** The reason a model is paused, and until when; null if it is not. */
  held: z.strictObject({ why: z.string(), until: epochMs }).nullable(),
  /** The problem with its settings; '' if there is none. */
  problem: z.string(),
  failuresInARow: count,
  quota: z.array(QuotaReading),
  days: z.array(WriterDay),
  recent: z.array(WriterRun),
});
export type WritersStatus = z.infer<typeof WritersStatus>;
