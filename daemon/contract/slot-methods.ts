import * as z from 'zod';
import { done, project } from './fields.ts';
import { method } from './method.ts';
import { Slot, SlotChange, SlotProposal } from './slots.ts';

const slotName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,63}$/,
    'a slot name has lower-case letters, digits and _, and starts with a letter',
  );
/** A project sees its own slots and the global ones; '' means the global ones. */
const slotKey = z.strictObject({ project, name: slotName });
const slotEdit = slotKey.extend({
  actor: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .default('person')
    .describe('Who makes the edit: the name of an agent, or person'),
});
const slotText = z.string().max(100_000);
const slotLimit = z.number().int().min(1).max(20_000);

/** Pinned text that every session starts with. Part of the one table of methods. */
export const SLOT_METHODS = {
  'slots.list': method(
    'List slots: pinned text that every session starts with; with a project, as its sessions see them',
    z.strictObject({ project: project.optional() }),
    z.array(Slot),
  ),
  'slots.get': method('Get one slot, as a project sees it', slotKey, Slot),
  'slots.create': method(
    'Create a slot',
    slotEdit.extend({
      content: slotText.default(''),
      description: z.string().max(200).default(''),
      sizeLimit: slotLimit.default(2_000),
      readOnly: z.boolean().default(false),
    }),
    Slot,
  ),
  'slots.append': method('Append lines to a slot', slotEdit.extend({ text: slotText.min(1) }), Slot),
  'slots.replace': method('Replace the text of a slot', slotEdit.extend({ content: slotText }), Slot),
  'slots.write': method(
    'Edit a slot as an agent: at once in its own project, as a proposal elsewhere',
    slotEdit.extend({
      kind: z.enum(['append', 'replace']),
      text: slotText,
      own: project.describe('The project the agent works in'),
    }),
    z.discriminatedUnion('outcome', [
      z.strictObject({ outcome: z.literal('written'), slot: Slot }),
      z.strictObject({ outcome: z.literal('asked'), reasons: z.array(z.string()) }),
    ]),
  ),
  'slots.proposals': method(
    'List edits of slots that agents proposed and that wait for a decision',
    z.strictObject({}),
    z.array(SlotProposal),
  ),
  'slots.decide': method(
    'Accept or reject an edit proposed by an agent; reopen undoes the decision',
    z.strictObject({ id: z.number().int(), decision: z.enum(['accept', 'reject', 'reopen']) }),
    SlotProposal,
  ),
  'slots.remove': method(
    'Empty a slot; one that a person created can be deleted for good',
    slotEdit.extend({ forGood: z.boolean().default(false) }),
    done,
  ),
  'slots.configure': method(
    'Lock, unlock, describe or resize a slot',
    slotEdit.extend({
      readOnly: z.boolean().optional(),
      description: z.string().max(200).optional(),
      sizeLimit: slotLimit.optional(),
    }),
    Slot,
  ),
  'slots.order': method(
    'Reorder slots; slots that are not named come last',
    z.strictObject({ project, names: z.array(slotName).min(1).max(200) }),
    z.array(Slot),
  ),
  'slots.history': method('List the edits of a slot, newest first', slotKey, z.array(SlotChange)),
  'slots.undo': method('Undo an edit of a slot', z.strictObject({ changeId: z.number().int() }), SlotChange),
};
