import * as z from 'zod';

/** `run/daemon.json`: how a client on this machine finds the daemon. Readable by its owner only. */
export const RunFile = z.object({
  pid: z.number().int(),
  version: z.string(),
  port: z.number().int(),
  socket: z.string(),
  token: z.string().min(32),
  startedAt: z.number(),
  /** How long hooks wait, for their client reads no settings. */
  hooks: z.object({ startMs: z.number(), otherMs: z.number() }).optional(),
});
export type RunFile = z.infer<typeof RunFile>;

const inOrder = new Intl.Collator('en', { numeric: true });

/** True if a version precedes another; `1.0.0-beta.2` precedes `1.0.0`. */
export function isOlder(version: string, than: string): boolean {
  const [[release = '', preview], [otherRelease = '', otherPreview]] = [split(version), split(than)];
  const order = inOrder.compare(release, otherRelease);
  if (order !== 0) return order < 0;
  if (preview === undefined || otherPreview === undefined)
    return preview !== undefined && otherPreview === undefined;
  return inOrder.compare(preview, otherPreview) < 0;
}

const split = (version: string) => version.split('+')[0]?.split(/-(.*)/) ?? [];
