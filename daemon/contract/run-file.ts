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
