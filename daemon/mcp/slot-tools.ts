import * as z from 'zod';
import { METHODS } from '#contract/methods.ts';
import { identifyProject } from '../platform/project.ts';
import { at } from './recall-tools.ts';
import { type Here, tool } from './tool.ts';

const AGENT = 'agent';

const where = z.strictObject({
  cwd: z.string().max(4_096).optional().describe('Your working folder; its project is meant'),
  global: z
    .boolean()
    .default(false)
    .describe('The slot that every project sees, instead of the project’s own'),
});
const edit = where.extend({ name: METHODS['slots.append'].input.shape.name });

/** A project is named by its folder; what belongs to none is everyone's. */
export function projectOf(input: { cwd?: string | undefined; global?: boolean }, here: Here): string {
  const { cwd = '' } = at(input, here);
  return input.global ? '' : (identifyProject(cwd)?.id ?? '');
}

/** Pinned text that every session starts with. */
export const SLOT_TOOLS = {
  list_slots: tool({
    title: 'Read the pinned slots',
    description:
      'The pinned text that every session here starts with: persona, preferences, project context, pending items. Each has its own limit of characters.',
    input: where.omit({ global: true }),
    readOnly: true,
    run: (call, input, here) => call('slots.list', { project: projectOf(input, here) }),
  }),
  append_to_slot: tool({
    title: 'Add a line to a slot',
    description:
      'Adds lines to a pinned slot, e.g. what is left to do to pending_items. When it is full, read it and replace it with something shorter.',
    input: edit.extend({ text: METHODS['slots.append'].input.shape.text }),
    run: (call, { name, text, ...input }, here) =>
      call('slots.append', { project: projectOf(input, here), name, text, actor: AGENT }),
  }),
  replace_slot: tool({
    title: 'Rewrite a slot',
    description: 'Puts new text in place of what a pinned slot says. Read it first; a person can undo it.',
    input: edit.extend({ content: METHODS['slots.replace'].input.shape.content }),
    destructive: true,
    idempotent: true,
    run: (call, { name, content, ...input }, here) =>
      call('slots.replace', { project: projectOf(input, here), name, content, actor: AGENT }),
  }),
};
