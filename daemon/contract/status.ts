import * as z from 'zod';
import { ArchiveProgress, ImportMode } from './archive.ts';
import { CaptureProgress, WatchedSource } from './capture.ts';
import { Change } from './entities.ts';
import { count, epochMs } from './fields.ts';
import { ModelState } from './settings.ts';

export const DaemonStatus = z.strictObject({
  version: z.string(),
  pid: count,
  node: z.string(),
  home: z.string(),
  /** The person's own folder, which people write as `~`. */
  userHome: z.string(),
  startedAt: epochMs,
  /** Notices about the start of the daemon that a person must see, e.g. that the database was restored. */
  notices: z.array(z.string()),
  /** The database was gone and a backup could restore it: a person decides, and no transcripts are read until then. */
  databaseLost: z.boolean(),
  rssBytes: count,
  learnings: count,
  proposed: count,
  /** Notes that wait to become learnings; they ask for no attention. */
  candidates: count,
  queue: count,
  attention: count,
  capture: z.enum(['watching', 'back-filling', 'paused', 'off']),
  /** False until a person agreed to the reading of transcripts; nothing is read before. */
  agreed: z.boolean(),
  progress: CaptureProgress,
  sources: z.array(WatchedSource),
  redactions: z.record(z.string(), count),
  models: z.array(ModelState),
  index: z.strictObject({
    vectors: count,
    waiting: count,
    state: z.enum(['ready', 'building', 'lexical-only']),
  }),
  recall: z.strictObject({
    count: count,
    p50Ms: z.number(),
    p95Ms: z.number(),
    followUpRate: z.number(),
    /** Since the start: lookups in the answer cache, and cache hits. */
    lookedUp: count,
    cached: count,
    /** Time per stage of recent recalls, in order. */
    stages: z.array(z.strictObject({ stage: z.string(), p50Ms: z.number(), p95Ms: z.number() })),
  }),
  databaseBytes: count,
  documentProblems: count,
  tokensSpentToday: count,
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

/** An event the daemon sends to subscribers. */
export const DaemonEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('learning.changed'), id: z.string(), kind: Change.shape.kind }),
  z.strictObject({
    type: z.literal('capture.moment'),
    momentId: count,
    signal: z.string(),
    agent: z.string(),
  }),
  z.strictObject({ type: z.literal('capture.progress'), progress: CaptureProgress }),
  z.strictObject({ type: z.literal('models.changed') }),
  z.strictObject({ type: z.literal('settings.changed') }),
  z.strictObject({ type: z.literal('inbox.changed') }),
  z.strictObject({ type: z.literal('outcomes.changed') }),
  z.strictObject({ type: z.literal('team.changed') }),
  z.strictObject({ type: z.literal('slots.changed'), project: z.string(), name: z.string() }),
  z.strictObject({ type: z.literal('archive.progress'), progress: ArchiveProgress }),
  /** A page in a browser wants to change what runs or where text is sent; the app asks the person. */
  z.strictObject({ type: z.literal('confirmation.asked'), id: z.string(), change: z.string() }),
  /** Everything may have changed: clients reload. */
  z.strictObject({ type: z.literal('archive.imported'), mode: ImportMode }),
]);
export type DaemonEvent = z.infer<typeof DaemonEvent>;
