import type { Handlers } from '#contract/methods.ts';
import {
  allSlots,
  appendToSlot,
  configureSlot,
  createSlot,
  getSlot,
  orderSlots,
  removeSlot,
  replaceSlot,
  type SlotParts,
  slotsOf,
  undoSlotChange,
} from '../knowledge/slots.ts';
import { decideProposal, openProposals, writeAsAgent } from '../knowledge/slot-proposals.ts';
import { slotHistory } from '../store/learnings/slots.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function slotHandlers({ store: { db }, now }: DaemonParts) {
  const parts: SlotParts = { db, now };
  return {
    'slots.list': ({ project }) => (project === undefined ? allSlots(db) : slotsOf(db, project)),
    'slots.get': (key) => getSlot(db, key),
    'slots.create': ({ actor, ...slot }) => createSlot(parts, slot, actor),
    'slots.append': ({ text, actor, ...key }) => appendToSlot(parts, key, text, actor),
    'slots.replace': ({ content, actor, ...key }) => replaceSlot(parts, key, content, actor),
    'slots.write': (edit) => writeAsAgent(parts, edit),
    'slots.proposals': () => openProposals(parts),
    'slots.decide': ({ id, decision }) => decideProposal(parts, id, decision),
    'slots.remove': ({ forGood, actor, ...key }) => {
      removeSlot(parts, key, forGood, actor);
      return { ok: true };
    },
    'slots.configure': ({ project, name, actor, ...patch }) =>
      configureSlot(parts, { project, name }, patch, actor),
    'slots.order': ({ project, names }) => orderSlots(parts, project, names, 'person'),
    'slots.history': (key) => {
      const own = slotHistory(db, key.project, key.name);
      if (own.length > 0) return own; // also of a slot that was removed for good: it can be brought back
      const { project, name } = getSlot(db, key); // an unknown slot is an error, not an empty history
      return slotHistory(db, project, name);
    },
    'slots.undo': ({ changeId }) => undoSlotChange(parts, changeId, 'person'),
  } satisfies Partial<Handlers>;
}
