import * as z from 'zod';
import { count, epochMs } from './fields.ts';

export const Slot = z.strictObject({
  project: z.string(),
  name: z.string(),
  content: z.string(),
  description: z.string(),
  sizeLimit: count,
  readOnly: z.boolean(),
  /** 0 for a slot that was never edited. */
  updatedAt: epochMs,
  /** Its position as set by a person, from 1; 0 for the default order. */
  position: count.default(0),
});
export type Slot = z.infer<typeof Slot>;

/** One edit of a slot, with the previous state, so that it can be undone. */
export const SlotChange = z.strictObject({
  id: count,
  at: epochMs,
  actor: z.string(),
  kind: z.enum(['create', 'append', 'replace', 'empty', 'remove', 'configure', 'order', 'undo']),
  project: z.string(),
  name: z.string(),
  before: Slot.nullable(),
  after: Slot.nullable(),
  undone: z.boolean(),
});
export type SlotChange = z.infer<typeof SlotChange>;

/** An edit that an agent may not make by itself; a person decides. */
export const SlotProposal = z.strictObject({
  id: count,
  at: epochMs,
  /** The project of the slot; '' for one that every project shares. */
  project: z.string(),
  name: z.string(),
  kind: z.enum(['append', 'replace']),
  text: z.string(),
  agent: z.string(),
  /** The project the agent works in. */
  from: z.string(),
  /** Why a person has to decide, each after "It". */
  reasons: z.array(z.string()),
  state: z.enum(['open', 'accepted', 'rejected']),
  /** The edit it became. */
  changeId: count.nullable(),
});
export type SlotProposal = z.infer<typeof SlotProposal>;
