import * as z from 'zod';
import { LEARN_WHEN, Lesson } from '#contract/learn.ts';
import { NewAttempt } from '#contract/loops.ts';
import { METHODS, type Output } from '#contract/methods.ts';
import { NewMemory } from '#contract/outcomes.ts';
import { RecallInput } from '#contract/recall-methods.ts';
import { spareNotes } from '../client/spare-notes.ts';
import { ReviewTool, reviewedRun, reviewSummary } from './review.ts';
import { tool, type ToolRow } from './tool.ts';
import { type WorkingFolder, projectAt, refuseElsewhere } from './working-folder.ts';

const AGENT = 'agent';

const cwd = RecallInput.shape.cwd.describe(
  'Your working folder; its project and branch are searched. By default, the folder your client works in',
);
const search = RecallInput.pick({
  query: true,
  global: true,
  tags: true,
  since: true,
  until: true,
  limit: true,
  session: true,
}).extend({ cwd });

const slotFolder = z.strictObject({
  cwd: z.string().max(4_096).optional().describe('Your working folder; the slots of its project are used'),
});
const slotEdit = slotFolder.extend({
  global: z
    .boolean()
    .default(false)
    .describe('Edit the slot that every project shares, instead of the project’s own; a person decides'),
  name: METHODS['slots.append'].input.shape.name,
});
const slotWrite = (
  { global, cwd = '', name }: z.output<typeof slotEdit>,
  here: WorkingFolder,
  edit: { kind: 'append' | 'replace'; text: string },
) => ({
  ...edit,
  project: global ? '' : projectAt(cwd),
  own: projectAt(here.cwd),
  name,
  actor: AGENT,
});
const slotAnswer = (wrote: Output<'slots.write'>) =>
  wrote.outcome === 'written'
    ? wrote.slot
    : {
        outcome: 'a person has to accept this in the Inbox',
        because: wrote.reasons.map((reason) => `It ${reason}.`),
      };

/** Every tool an agent may call: first search, from titles to whole notes, then lessons, loops and slots. */
export const TOOLS: readonly ToolRow[] = [
  tool({
    name: 'recall_index',
    method: 'recall.index',
    title: 'Search titles',
    description: `${METHODS['recall.index'].doc}. Call it before you start a task, and when something fails for a reason you do not know: it may have been solved here before.`,
    input: search,
  }),
  tool({
    name: 'recall_timeline',
    method: 'recall.timeline',
    title: 'List neighbors in time',
    description: `${METHODS['recall.timeline'].doc}.`,
    input: METHODS['recall.timeline'].input
      .pick({ anchor: true, before: true, after: true, global: true })
      .extend({ cwd }),
  }),
  tool({
    name: 'recall_hydrate',
    method: 'recall.hydrate',
    title: 'Read whole notes',
    description: `${METHODS['recall.hydrate'].doc}. Also use it for the ids in brackets at the start of a session.`,
    input: METHODS['recall.hydrate'].input.pick({ ids: true, field: true }),
  }),
  tool({
    name: 'recall',
    method: 'recall.search',
    title: 'Search and read',
    description:
      'Search learnings by topic and return whole notes in one step. Use it for a question with one answer; otherwise start with recall_index, which costs a fraction of the tokens. Notes in lessRelevant are no answer.',
    input: search.extend({ field: RecallInput.shape.field }),
    toInput: (input) => ({ limit: 5, ...input }),
    toAnswer: (answer) => spareNotes(separateWeakHits(answer)),
  }),
  tool({
    name: 'find_skills',
    method: 'skills.find',
    title: 'Find skills',
    description:
      'Search the installed skills of every agent on this machine; returns the path of each to read.',
  }),
  tool({
    name: 'list_gaps',
    method: 'gaps.list',
    title: 'List open questions',
    description:
      'List questions that were asked before and could not be answered. When you find an answer, record it with learn.',
  }),

  tool({
    name: 'learn',
    method: 'learnings.learn',
    title: 'Record a learning',
    description: `${LEARN_WHEN}, record it at once: one rule per call, so that nobody has to say it again. Returns what is already known about it.`,
    input: Lesson.extend({ cwd: Lesson.shape.cwd.optional() }),
    changes: 'adds',
    toInput: ({ cwd = '', ...lesson }) => ({ ...lesson, cwd }),
    toAnswer: ({ outcome, learning: { id, title }, alike }) => ({ outcome, id, title, alike }),
  }),
  tool({
    name: 'memories_query',
    method: 'memories.query',
    title: 'Find memories of similar tasks',
    description: `${METHODS['memories.query'].doc}. Each says whether its task passed or failed and how often it has helped; use recall_index for rules and facts.`,
  }),
  tool({
    name: 'memories_augment',
    method: 'memories.augment',
    title: 'Add memories to a task',
    description: `${METHODS['memories.augment'].doc}. Use it to hand a task to another model or subagent.`,
    toAnswer: ({ augmentedTask, memories }) => ({ augmentedTask, ids: memories.map(({ id }) => id) }),
  }),
  tool({
    name: 'memories_create',
    method: 'memories.create',
    title: 'Save a lesson',
    description:
      'After a whole task, save how it went: the task, the mistake and the correct action. For a single rule, use learn. Save one lesson per call, written so that anyone can act on it a year from now. Saving a known lesson again counts as more evidence for it.',
    input: NewMemory.omit({ project: true, branch: true }),
    changes: 'adds',
  }),
  tool({
    name: 'experience_query',
    method: 'experience.query',
    title: 'Find experiences with similar tasks',
    description:
      'Before a task, search what similar tasks taught, best first. ⚠️ marks what failed before, ⚡ experiences that disagree.',
    toAnswer: ({ text, experiences }) => ({ text, ids: experiences.map(({ id }) => id) }),
  }),
  tool({
    name: 'review',
    method: 'traces.create',
    title: 'Report the result',
    description:
      'At the end of a task, report whether it passed or failed. The learnings injected into your session gain or lose trust, and a lesson is written from the result.',
    input: ReviewTool,
    changes: 'adds',
    toInput: reviewedRun,
    toAnswer: reviewSummary,
  }),

  tool({
    name: 'reflections_start',
    method: 'loops.start',
    title: 'Start a loop',
    description: `${METHODS['loops.start'].doc}, when you plan to try, verify and try again. Then call reflections_append after each attempt and reflections_window before the next one.`,
    input: METHODS['loops.start'].input.pick({
      task: true,
      verificationType: true,
      maxIterations: true,
      cwd: true,
    }),
    changes: 'adds',
  }),
  tool({
    name: 'reflections_append',
    method: 'reflections.append',
    title: 'Reflect on an attempt',
    description: `${METHODS['reflections.append'].doc}. Name the action that failed, why it failed and what to do instead: generic advice is flagged.`,
    input: NewAttempt,
    changes: 'adds',
    toInput: async (attempt, here, call) => {
      const { loop } = await call('loops.get', { id: attempt.loop_id });
      refuseElsewhere(loop.project, here);
      return attempt;
    },
  }),
  tool({
    name: 'reflections_window',
    method: 'reflections.context',
    title: 'Get lessons of earlier attempts',
    description: `${METHODS['reflections.context'].doc}. Start the next attempt with it.`,
  }),
  tool({
    name: 'reflections_search',
    method: 'reflections.search',
    title: 'Search reflections',
    description: `${METHODS['reflections.search'].doc}; each says whether its loop passed in the end.`,
  }),

  tool({
    name: 'list_slots',
    method: 'slots.list',
    title: 'List slots',
    description:
      'List the pinned text that every session here starts with: persona, preferences, project context, pending items. Each slot has its own character limit.',
    input: slotFolder,
    toInput: ({ cwd = '' }) => ({ project: projectAt(cwd) }),
  }),
  tool({
    name: 'append_to_slot',
    method: 'slots.write',
    title: 'Append to a slot',
    description:
      'Append lines to a pinned slot, e.g. remaining work to pending_items. When the slot is full, read it and replace it with a shorter text.',
    input: slotEdit.extend({ text: METHODS['slots.append'].input.shape.text }),
    changes: 'adds',
    asksElsewhere: true,
    toInput: ({ text, ...edit }, here) => slotWrite(edit, here, { kind: 'append', text }),
    toAnswer: slotAnswer,
  }),
  tool({
    name: 'replace_slot',
    method: 'slots.write',
    title: 'Replace a slot',
    description: 'Replace the text of a pinned slot. Read the slot first; a person can undo the change.',
    input: slotEdit.extend({ content: METHODS['slots.replace'].input.shape.content }),
    changes: 'overwrites',
    asksElsewhere: true,
    toInput: ({ content, ...edit }, here) => slotWrite(edit, here, { kind: 'replace', text: content }),
    toAnswer: slotAnswer,
  }),
];

/** Whole notes cost tokens, so of hits that are no answer an agent gets the titles alone, apart from the others. */
function separateWeakHits({ hits, ...answer }: Output<'recall.search'>): object {
  const lessRelevant = hits
    .filter(({ weak }) => weak)
    .map(({ learning: { id, title }, relevance }) => ({ id, title, relevance }));
  return { ...answer, hits: hits.filter(({ weak }) => !weak), lessRelevant };
}
