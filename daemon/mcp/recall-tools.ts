import * as z from 'zod';
import { METHODS } from '#contract/methods.ts';
import { RecallInput } from '#contract/recall-methods.ts';
import { spareNotes } from '../client/spare-notes.ts';
import { type Here, tool } from './tool.ts';

const cwd = RecallInput.shape.cwd.describe(
  'Your working folder; its project and branch are searched. Without it, the folder your client works in',
);
const question = RecallInput.pick({
  query: true,
  global: true,
  tags: true,
  since: true,
  until: true,
  limit: true,
  session: true,
}).extend({ cwd });
/** A session of another folder says so itself. */
export const at = <I extends { cwd?: string | undefined }>(input: I, { cwd }: Here): I =>
  input.cwd === undefined && cwd !== '' ? { ...input, cwd } : input;

/** Finding what was learned: titles first, whole notes last. */
export const RECALL_TOOLS = {
  recall_index: tool({
    title: 'Search titles',
    description: `${METHODS['recall.index'].doc}. Ask before you begin a task, and whenever something fails for a reason you do not know: it may have been solved here before.`,
    input: question,
    readOnly: true,
    run: (call, input, here) => call('recall.index', at(input, here)),
  }),
  recall_timeline: tool({
    title: 'What was learned around it',
    description: `${METHODS['recall.timeline'].doc}.`,
    input: METHODS['recall.timeline'].input
      .pick({ anchor: true, before: true, after: true, global: true })
      .extend({ cwd }),
    readOnly: true,
    run: (call, input, here) => call('recall.timeline', at(input, here)),
  }),
  recall_hydrate: tool({
    title: 'Read whole notes',
    description: `${METHODS['recall.hydrate'].doc}. Also for the ids in brackets that a session starts with.`,
    input: METHODS['recall.hydrate'].input.pick({ ids: true, field: true }),
    readOnly: true,
    run: (call, input) => call('recall.hydrate', input),
  }),
  recall: tool({
    title: 'Search and read at once',
    description:
      'Finds what was learned about a topic and gives the notes whole, all steps in one. For a question with one answer; otherwise begin with recall_index, which costs a fraction.',
    input: question.extend({ field: RecallInput.shape.field }),
    readOnly: true,
    run: async (call, input, here) =>
      spareNotes(await call('recall.search', { limit: 5, ...at(input, here) })),
  }),
  find_skills: tool({
    title: 'Find skills',
    description: 'Finds installed skills for a topic, of every agent on this machine, with the path to read.',
    input: METHODS['skills.find'].input,
    readOnly: true,
    run: (call, input, here) => call('skills.find', at(input, here)),
  }),
  list_gaps: tool({
    title: 'What nobody knew',
    description:
      'Questions that were asked before and could not be answered. When you find one of these out, keep it with create_memory.',
    input: z.strictObject({}),
    readOnly: true,
    run: (call) => call('gaps.list', {}),
  }),
};
