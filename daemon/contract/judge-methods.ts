import * as z from 'zod';
import { count, done, none } from './fields.ts';
import { method } from './method.ts';

/** How far a person's decisions have moved the judge of notes on this machine. */
export const LocalJudge = z.strictObject({
  /** Decisions it learned from: notes kept, and notes dropped or dismissed. */
  kept: count,
  dropped: count,
  /** In log-odds: above 0, notes in general become learnings more easily than as shipped. */
  bias: z.number(),
  cues: z.array(
    z.strictObject({
      id: z.string(),
      /** The reason as a person reads it. */
      why: z.string(),
      shipped: z.number(),
      shift: z.number(),
    }),
  ),
});
export type LocalJudge = z.infer<typeof LocalJudge>;

/** The judge that decides which notes become learnings. Part of the one table of methods. */
export const JUDGE_METHODS = {
  'judge.show': method('Show what the judge learned from your decisions', none, LocalJudge),
  'judge.reset': method('Reset the judge to its defaults', none, done, {
    emits: ['settings.changed'],
  }),
};
