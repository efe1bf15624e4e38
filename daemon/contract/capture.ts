import * as z from 'zod';
import { count, epochMs } from './fields.ts';

/** A slice of dialogue that something was learned in, and what became of it. */
export const Moment = z.strictObject({
  id: count,
  signal: z.string(),
  agent: z.string(),
  session: z.string(),
  transcript: z.string(),
  project: z.string(),
  branch: z.string().nullable(),
  at: epochMs,
  /** The words that triggered the capture, redacted. */
  quote: z.string(),
  why: z.array(z.string()),
  state: z.enum(['queued', 'leased', 'kept', 'duplicate', 'held', 'failed', 'dismissed']),
  error: z.string(),
  learningId: z.string().nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** A part of a transcript, down to its bytes, and the learnings that come from it (S8). */
export const Chunk = Moment.pick({
  id: true,
  agent: true,
  transcript: true,
  session: true,
  signal: true,
  at: true,
  state: true,
}).extend({
  hash: z.string(),
  spanStart: count,
  spanEnd: count,
  learnings: z.array(z.string()),
});
export type Chunk = z.infer<typeof Chunk>;

export const WatchedSource = z.strictObject({
  agent: z.string(),
  folder: z.string(),
  present: z.boolean(),
  files: count,
  bytes: count,
  bytesRead: count,
  records: count,
  badLines: count,
  unknown: z.record(z.string(), count),
  lastEventAt: epochMs.nullable(),
});
export type WatchedSource = z.infer<typeof WatchedSource>;

/** How far the reading of transcripts has come: of all that waits now, or of the last time when nothing does. */
export const CaptureProgress = z.strictObject({
  filesDone: count,
  filesTotal: count,
  bytesDone: count,
  bytesTotal: count,
  /** Whose transcript is being read. */
  agent: z.string(),
  bytesPerSecond: count,
});
export type CaptureProgress = z.infer<typeof CaptureProgress>;

/** An agent in trouble: it goes in circles, or broke tests that passed. */
export const Trouble = z.strictObject({
  session: z.string(),
  kind: z.enum(['loop', 'test-regression']),
  detail: z.string(),
  at: epochMs,
});
export type Trouble = z.infer<typeof Trouble>;
