import * as z from 'zod';

/** An agent that Reflect can be installed in; the type of the daemon's own table checks that both lists agree. */
export const AgentId = z.enum(['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'opencode']);
export type AgentId = z.infer<typeof AgentId>;

/** One file of an agent's configuration and the state of our part of it. */
const AgentFile = z.strictObject({
  file: z.string(),
  /** A description of our part, for people. */
  holds: z.string(),
  state: z.enum(['absent', 'in-place', 'outdated', 'unreadable']),
  /** The reason it cannot be read. */
  problem: z.string().nullable(),
});

export const AgentState = z.strictObject({
  id: AgentId,
  name: z.string(),
  /** The agent is installed on this machine. */
  present: z.boolean(),
  /** Its configuration folder, which may not exist. */
  folder: z.string(),
  files: z.array(AgentFile),
  /** A step the agent needs from a person before its configuration takes effect. */
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
      /** The copy of the file from before Reflect. */
      backup: z.string().nullable(),
    }),
  ),
  /** Next steps for a person. */
  notes: z.array(z.string()),
});
export type AgentChange = z.infer<typeof AgentChange>;

/** The result of one check, with advice if it failed. */
export const Finding = z.strictObject({ ok: z.boolean(), what: z.string(), advice: z.string().optional() });
export type Finding = z.infer<typeof Finding>;
