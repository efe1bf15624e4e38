import * as z from 'zod';
import { Candidate } from './candidates.ts';
import { NotePatch } from './entities.ts';
import { learningId as id, limit, project, reason, session } from './fields.ts';
import { method } from './method.ts';

const decided = z.strictObject({
  changed: z.number().int(),
  /** Undoing this change undoes the whole decision; null when there was nothing to change. */
  changeId: z.number().int().nullable(),
});
const ids = z.array(id).min(1).max(500);

/** Notes that wait to become learnings. Part of the one table of methods. */
export const CANDIDATE_METHODS = {
  'candidates.list': method(
    'List candidates, best first: notes that wait for your decision and that agents do not get',
    z.strictObject({
      project: project.optional(),
      session: session.optional(),
      after: z.string().max(100).optional().describe('Continue after this cursor'),
      limit: limit.default(20),
    }),
    z.strictObject({
      items: z.array(Candidate),
      total: z.number().int(),
      /** Pass it as `after` to get the next ones; null after the last one. */
      cursor: z.string().nullable(),
    }),
    { redacts: false },
  ),
  'candidates.keep': method(
    'Keep candidates as learnings; one undo reverses all of it',
    z.strictObject({
      ids,
      patch: NotePatch.optional().describe('Fields to change; only for a single candidate'),
      reason,
    }),
    decided,
  ),
  'candidates.drop': method(
    'Drop candidates; one undo reverses all of it',
    z.strictObject({ ids, reason }),
    decided,
  ),
};
