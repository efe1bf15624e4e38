import * as z from 'zod';

/** An agent that Reflect can be installed in; the type of the daemon's own table checks that both lists agree. */
export const AgentId = z.enum(['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode']);
export type AgentId = z.infer<typeof AgentId>;

/** One file of an agent's configuration and what of ours is in it. */
const AgentFile = z.strictObject({
  file: z.string(),
  /** What we put into it, for people. */
  holds: z.string(),
  state: z.enum(['absent', 'in-place', 'outdated', 'unreadable']),
  /** Why it cannot be read. */
  problem: z.string().nullable(),
});

export const AgentState = z.strictObject({
  id: AgentId,
  name: z.string(),
  /** Whether the agent is on this machine. */
  present: z.boolean(),
  /** Its own folder, whether it is there or not. */
  folder: z.string(),
  files: z.array(AgentFile),
  /** What the agent still wants before it does what its files say. */
  waitsFor: z.strictObject({ what: z.string(), advice: z.string() }).nullable(),
});
export type AgentState = z.infer<typeof AgentState>;

/** Changes that connecting or disconnecting makes, or has made, to an agent's files. */
export const AgentChange = z.strictObject({
  files: z.array(
    z.strictObject({
      file: z.string(),
      holds: z.string(),
      change: z.enum(['created', 'changed', 'unchanged', 'removed']),
      /** As `diff -u` prints it; empty when nothing changes. */
      diff: z.string(),
      /** Where the file lies as it was before Reflect. */
      backup: z.string().nullable(),
    }),
  ),
  /** What a person has to know or do. */
  notes: z.array(z.string()),
});
export type AgentChange = z.infer<typeof AgentChange>;

/** One thing that was looked at, and what to do about it where it is not right. */
export const Finding = z.strictObject({ ok: z.boolean(), what: z.string(), advice: z.string().optional() });
export type Finding = z.infer<typeof Finding>;
