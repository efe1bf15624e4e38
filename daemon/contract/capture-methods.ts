import * as z from 'zod';
import { Chunk, Moment, Trouble } from './capture.ts';
import { Learning } from './entities.ts';
import { branch, count, done, learningId as id, limit, none, path, session } from './fields.ts';
import { HookPayload } from './hooks.ts';
import { method } from './method.ts';
import { SessionSummary, SessionUse } from './sessions.ts';

/** Transcripts, hooks and sessions: all that comes from agents at work. Part of the one table of methods. */
export const CAPTURE_METHODS = {
  'capture.moments': method(
    'List moments noticed in transcripts and their state, newest first',
    z.strictObject({ session: z.string().optional(), limit: limit.default(100) }),
    z.array(Moment),
    { redacts: false },
  ),
  'capture.lineage': method(
    'List the parts of a transcript that became learnings, or the sources of a learning',
    z.strictObject({ transcript: path }).or(z.strictObject({ learning: id })),
    z.array(Chunk),
    { redacts: false },
  ),
  'capture.agree': method(
    'Allow Reflect to read transcripts on this machine; before that, it reads none',
    none,
    done,
  ),
  'capture.pause': method('Pause reading transcripts', none, done),
  'capture.resume': method('Resume reading transcripts', none, done),
  'capture.drain': method(
    'Write the notes of all waiting moments now',
    z.strictObject({
      noLlm: z.boolean().default(false).describe('Do not use a model, even if one is chosen'),
    }),
    z.strictObject({
      drained: count,
      left: count.describe('Moments still waiting, for example for a budget'),
    }),
    { long: true },
  ),
  'capture.commit': method(
    'Report a commit, as a git post-commit hook does; it is linked to its session, and learnings from commits it reverts are retracted',
    z.strictObject({
      sha: z.string().regex(/^[0-9a-f]{7,64}$/i, 'a commit sha has at least seven hexadecimal digits'),
      cwd: path,
      message: z.string().max(100_000).default(''),
      branch: branch.optional(),
      session: session
        .optional()
        .describe('The agent session that made it; by default the latest session of the project'),
      conflictResolved: z.boolean().default(false),
      at: Learning.shape.createdAt.optional(),
    }),
    z.strictObject({ session: z.string(), reverts: z.array(z.string()) }),
  ),
  'capture.troubles': method(
    'List recent sessions that went in circles or broke passing tests, or all such events of one session',
    z.strictObject({ session: z.string().min(1).max(200).optional() }),
    z.array(Trouble),
  ),
  'capture.dismiss': method(
    'Dismiss a moment and archive its learning, or restore both',
    z.strictObject({ id: z.number().int(), dismissed: z.boolean().default(true) }),
    done,
  ),

  'hook.run': method(
    'Handle a hook event of an agent',
    z.strictObject({
      agent: z.string().max(60),
      event: z.string().max(60),
      payload: HookPayload,
      withinMs: z
        .number()
        .int()
        .positive()
        .optional()
        .describe('How long the hook waits; a later answer is discarded and not recorded as injected'),
    }),
    z.strictObject({ output: z.string() }),
    { urgent: true },
  ),
  'uses.list': method(
    'List the sessions a learning was injected into, latest first; or the learnings injected into a session, or into the latest session of a folder, in order',
    z.union([
      z.strictObject({ learning: id, limit: limit.default(100) }),
      z.strictObject({ session: z.string().min(1).max(200), limit: limit.default(100) }),
      z.strictObject({ cwd: path, limit: limit.default(100) }),
    ]),
    z.array(SessionUse),
    { redacts: false },
  ),
  'sessions.list': method(
    'List sessions that are active or have moments or injected learnings, latest first',
    z.strictObject({ limit: limit.default(100) }),
    z.array(SessionSummary),
  ),
};
