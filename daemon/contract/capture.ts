import * as z from 'zod';
import { count, epochMs } from './fields.ts';

/** A passage of a session that capture noticed, and its state. */
export const Moment = z.strictObject({
  id: count,
  signal: z.string(),
  agent: z.string(),
  session: z.string(),
  transcript: z.string(),
  project: z.string(),
  branch: z.string().nullable(),
  at: epochMs,
  /** The words that triggered capture, redacted. */
  quote: z.string(),
  why: z.array(z.string()),
  state: z.enum(['queued', 'leased', 'kept', 'candidate', 'duplicate', 'held', 'failed', 'dismissed']),
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

/** Progress of reading transcripts: of the current pass, or of the last one if there is nothing to read. */
export const CaptureProgress = z.strictObject({
  filesDone: count,
  filesTotal: count,
  bytesDone: count,
  bytesTotal: count,
  /** The agent whose transcript is being read. */
  agent: z.string(),
  bytesPerSecond: count,
});
export type CaptureProgress = z.infer<typeof CaptureProgress>;

/** A session in trouble: it goes in circles, or broke passing tests. */
export const Trouble = z.strictObject({
  session: z.string(),
  kind: z.enum(['loop', 'test-regression']),
  detail: z.string(),
  at: epochMs,
});
export type Trouble = z.infer<typeof Trouble>;
