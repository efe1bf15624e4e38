import * as z from 'zod';
import { SlotProposal } from '#contract/slots.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, setMeta } from '../meta.ts';
import { PersistedJson } from '../persisted-json.ts';

const KEY = 'slot-proposals';
const PROPOSALS = new PersistedJson(z.strictObject({ list: z.array(SlotProposal) }));

/** Edits of slots that agents asked for, oldest first. They concern this machine, so they are not archived. */
export function readSlotProposals(db: ReadableDb): SlotProposal[] {
  const written = getMeta(db, KEY);
  return written ? PROPOSALS.read(written).list : [];
}

export function writeSlotProposals(db: WritableDb, proposals: SlotProposal[]): void {
  setMeta(db, KEY, PROPOSALS.write({ list: proposals }));
}
