import * as z from 'zod';
import { Inbox } from './distill.ts';
import {
  Change,
  Learning,
  LearningRow,
  MergeQuestion,
  Note,
  NotePatch,
  Project,
  Status,
} from './entities.ts';
import { Learned, Lesson } from './learn.ts';
import { done, learningId as id, limit, none, path, project, reason } from './fields.ts';
import { method } from './method.ts';
import { Gap } from './recall.ts';
import { Revision, RevisionAction } from './revision.ts';

const changed = z.strictObject({ learning: Learning, changeId: z.number().int() });

/** Learnings, their history, and the questions about them that wait for a person. Part of the one table of methods. */
export const LEARNING_METHODS = {
  'learnings.list': method(
    'List learnings by filter, newest first, or best match first with a text',
    z.strictObject({
      text: z.string().max(500).optional(),
      project: z.string().optional(),
      branch: z.string().optional(),
      category: z.string().optional(),
      tag: z.string().optional(),
      agent: z.string().optional(),
      status: Status.optional(),
      confidence: z.enum(['high', 'medium', 'low']).optional().describe('From 0.8, from 0.5, or below'),
      best: z
        .array(id)
        .max(100)
        .optional()
        .describe('Ids to list first, in this order, among matches of the text; alone if nothing matches'),
      facets: z.boolean().default(true).describe('Also count the learnings for each filter value'),
      offset: z.number().int().min(0).default(0),
      limit: limit.default(100),
    }),
    z.strictObject({
      items: z.array(LearningRow),
      total: z.number().int(),
      facets: z.record(z.string(), z.array(z.strictObject({ value: z.string(), count: z.number().int() }))),
    }),
    { redacts: false },
  ),
  'learnings.get': method('Get one learning', z.strictObject({ id }), Learning),
  'learnings.create': method(
    'Add a learning',
    z.strictObject({
      note: Note.describe('It names its project, or has the scope `global` for every project'),
      cwd: path.optional().describe('A folder of the project, instead of its id in the note'),
      reason,
    }),
    changed,
  ),
  'learnings.learn': method(
    'Record what was just learned, in the agent’s own words; a known rule gets one more proof',
    Lesson,
    Learned,
  ),
  'learnings.update': method(
    'Edit fields of a learning',
    z.strictObject({
      id,
      patch: NotePatch,
      /** Refused as a conflict when the learning has changed since the caller read it. */
      seenUpdatedAt: z.number().int().optional(),
      reason,
    }),
    changed,
  ),
  'learnings.archive': method(
    'Archive a learning; recall no longer returns it',
    z.strictObject({ id, reason }),
    changed,
  ),
  'learnings.restore': method('Restore an archived learning', z.strictObject({ id, reason }), changed),
  'learnings.changeMany': method(
    'Archive, restore, move or tag many learnings at once; one undo reverses all of it',
    z.strictObject({
      ids: z.array(id).min(1).max(500),
      status: z.enum(['active', 'archived']).optional(),
      project: project.optional().describe('The project to move them to'),
      addTags: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
      removeTags: z.array(z.string().max(400)).max(20).optional(),
      reason,
    }),
    z.strictObject({ changed: z.number().int(), changeId: z.number().int().nullable() }),
  ),
  'learnings.history': method(
    'List the changes of a learning, newest first',
    z.strictObject({ id }),
    z.array(Change),
  ),
  'learnings.excerpt': method(
    'Get the part of the transcript that a learning came from, redacted',
    z.strictObject({ id }),
    z.strictObject({
      available: z.boolean(),
      why: z.string(),
      turns: z.array(
        z.strictObject({
          role: z.string(),
          text: z.string(),
          at: z.number().nullable(),
          trigger: z.boolean(),
        }),
      ),
      sessionTitle: z.string().describe('The first request of its session; empty if it is not known'),
    }),
  ),
  'changes.undo': method(
    'Undo a change; without an id, the newest change that can be undone',
    z.strictObject({ changeId: z.number().int().optional() }),
    z.strictObject({
      change: Change,
      learning: Learning.nullable(),
      changes: z.number().int().describe('How many changes were undone; an import has one for each note'),
      undoneBy: z.number().int().nullable().describe('The change that undid it; undo that to redo'),
    }),
  ),
  'projects.list': method('List projects in the knowledge base', none, z.array(Project)),

  'inbox.list': method('List everything that waits for a decision', none, Inbox),
  'merges.list': method(
    'List pairs of learnings that say nearly the same or seem to contradict each other',
    none,
    z.array(MergeQuestion),
  ),
  'merges.resolve': method(
    'Answer a merge question: merge both into one learning, keep both, dismiss the new one, or replace the old one with it',
    z.strictObject({
      id: z.number().int(),
      action: z.enum(['merge', 'keep-both', 'dismiss', 'replace']),
      merged: NotePatch.optional(),
    }),
    z.strictObject({ changeId: z.number().int() }),
  ),
  'knowledge.revise': method(
    'Create, update or retract learnings in one batch; near duplicates wait for a decision',
    z.strictObject({
      actions: z.array(RevisionAction).min(1).max(500),
      actor: z.string().trim().min(1).max(60).default('agent'),
      cwd: path.optional().describe('The folder whose project a CREATE belongs to, unless it names one'),
    }),
    Revision,
  ),
  'knowledge.forget': method(
    'Forget learnings that have expired',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({
      forgotten: z.array(z.strictObject({ id, title: z.string(), forgetAfter: z.number().int() })),
      dryRun: z.boolean(),
    }),
  ),
  'knowledge.maintain': method(
    'Repair the graph: remove dangling edges and link isolated entities',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({
      dangling: z.number().int(),
      relinked: z.number().int(),
      orphans: z.number().int(),
      dryRun: z.boolean(),
    }),
  ),
  'gaps.list': method('List questions that recall could not answer', none, z.array(Gap)),
  'gaps.close': method(
    'Close an unanswered question until it comes up again, or reopen it',
    z.strictObject({
      query: z.string().max(4_000),
      project: z.string().max(500),
      closed: z.boolean().default(true),
    }),
    done,
  ),
};
