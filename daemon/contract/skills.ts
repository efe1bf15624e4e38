import * as z from 'zod';
import { epochMs } from './fields.ts';

/** An installed skill of an agent, as its SKILL.md describes it (R20). */
export const Skill = z.strictObject({
  path: z.string(),
  name: z.string(),
  agent: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  /** The project it belongs to; '' for one in the agent's own home, which is there everywhere. */
  root: z.string(),
  refreshedAt: epochMs,
  /** What was learned since contradicts it; it is not offered until its file changes. */
  stale: z.boolean(),
});
export type Skill = z.infer<typeof Skill>;
