import * as z from 'zod';
import { limit, path } from './fields.ts';
import { method } from './method.ts';
import { Skill } from './skills.ts';

/** Skills installed for the agents on this machine. Part of the one table of methods. */
export const SKILL_METHODS = {
  'skills.list': method(
    'List the installed skills of every agent',
    z.strictObject({ cwd: path.optional() }),
    z.array(Skill),
  ),
  'skills.find': method(
    'Search installed skills by topic',
    z.strictObject({
      query: z.string().trim().min(1).max(4_000),
      cwd: path.optional(),
      limit: limit.max(100).default(10),
    }),
    z.array(z.strictObject({ skill: Skill, score: z.number() })),
    { redacts: false },
  ),
  'skills.refresh': method(
    'Scan for installed skills now',
    z.strictObject({ cwd: path.optional() }),
    z.strictObject({ found: z.number().int(), read: z.number().int(), removed: z.number().int() }),
  ),
};
