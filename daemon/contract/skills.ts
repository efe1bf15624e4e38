import * as z from 'zod';
import { epochMs } from './fields.ts';

/** An installed skill of an agent, as its SKILL.md describes it (R20). */
export const Skill = z.strictObject({
  path: z.string(),
  name: z.string(),
  agent: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  /** The project it belongs to; '' for one in the agent's home, which is global. */
  root: z.string(),
  refreshedAt: epochMs,
  /** Newer learnings contradict it; it is not offered until its file changes. */
  stale: z.boolean(),
});
export type Skill = z.infer<typeof Skill>;
