import type { Asked, Output } from '#contract/methods.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Slot, SlotProposal } from '#contract/slots.ts';
import { reasonsToHold } from '../store/learnings/held.ts';
import { readSlotProposals, writeSlotProposals, lastSlotChange } from '../store/learnings/slots.ts';
import { appendToSlot, getSlot, replaceSlot, type SlotKey, type SlotParts, undoSlotChange } from './slots.ts';

const MOST_OPEN = 50;
const MOST_OPEN_OF_AGENTS = 30; // one that repeats itself must leave room for the slots of an archive
const KEPT = 200;
const PERSON = 'person';
const IMPORT = 'import';

type AgentEdit = Asked<'slots.write'>;

/** An agent's edit: made at once in its own project, and a question to a person everywhere else. */
export function writeAsAgent(parts: SlotParts, edit: AgentEdit): Output<'slots.write'> {
  const slot = getSlot(parts.db, edit);
  if (slot.readOnly) throw new DaemonError('read-only', `slot ${slot.name} is locked`);
  const reasons = [
    ...(slot.project === '' ? ['changes what every project starts with'] : []),
    ...(slot.project !== '' && slot.project !== edit.own ? ['comes from another project'] : []),
    ...reasonsToHold(edit.text),
  ];
  if (reasons.length === 0) return { outcome: 'written', slot: carryOut(parts, edit, edit.actor) };
  propose(parts, { ...edit, project: slot.project }, reasons);
  return { outcome: 'asked', reasons };
}

const carryOut = (
  parts: SlotParts,
  { kind, text, ...key }: Pick<AgentEdit, 'kind' | 'text'> & SlotKey,
  actor: string,
) => (kind === 'append' ? appendToSlot(parts, key, text, actor) : replaceSlot(parts, key, text, actor));

function propose(
  { db, now }: SlotParts,
  { own, actor, project, name, kind, text }: AgentEdit,
  reasons: string[],
): void {
  const all = readSlotProposals(db);
  const open = all.filter(({ state }) => state === 'open');
  const most = actor === IMPORT ? MOST_OPEN : MOST_OPEN_OF_AGENTS;
  const isSame = (one: SlotProposal) =>
    one.project === project && one.name === name && one.kind === kind && one.text === text;
  if (open.some(isSame)) return;
  if (open.length >= most)
    throw new DaemonError('too-many', `${most} edits of slots wait for a person already`);
  const id = 1 + Math.max(0, ...all.map((one) => one.id));
  const proposal: SlotProposal = {
    id,
    at: now(),
    project,
    name,
    kind,
    text,
    agent: actor,
    from: own,
    reasons,
    state: 'open',
    changeId: null,
  };
  writeSlotProposals(db, [...all, proposal].slice(-KEPT));
}

/** Asks about the slots of an archive, as far as there is room for questions. */
export function proposeSlots(
  parts: SlotParts,
  slots: ReadonlyArray<Pick<Slot, 'project' | 'name' | 'content'>>,
  from: string,
): void {
  const filled = slots.filter(({ content }) => content.trim() !== '');
  const room = MOST_OPEN - openProposals(parts).length;
  for (const { project, name, content } of filled.slice(0, Math.max(0, room)))
    propose(parts, { project, name, kind: 'replace', text: content, actor: IMPORT, own: '' }, [
      `comes from the archive ${from}`,
      ...reasonsToHold(content),
    ]);
}

export const openProposals = ({ db }: Pick<SlotParts, 'db'>): SlotProposal[] =>
  readSlotProposals(db).filter(({ state }) => state === 'open');

/** A person decides; `reopen` undoes the decision and what it did. */
export function decideProposal(
  parts: SlotParts,
  id: number,
  decision: 'accept' | 'reject' | 'reopen',
): SlotProposal {
  const { db } = parts;
  return db.transaction(() => {
    const all = readSlotProposals(db);
    const proposal = all.find((one) => one.id === id);
    if (!proposal) throw new DaemonError('not-found', `proposal ${id}`);
    if ((decision === 'reopen') === (proposal.state === 'open'))
      throw new DaemonError('conflict', `proposal ${id} is already ${proposal.state}`);
    const decided: SlotProposal = { ...proposal, ...outcomeOf(parts, proposal, decision) };
    writeSlotProposals(
      db,
      all.map((one) => (one.id === id ? decided : one)),
    );
    return decided;
  })();
}

function outcomeOf(
  parts: SlotParts,
  proposal: SlotProposal,
  decision: 'accept' | 'reject' | 'reopen',
): Pick<SlotProposal, 'state' | 'changeId'> {
  if (decision === 'reject') return { state: 'rejected', changeId: null };
  if (decision === 'reopen') {
    if (proposal.changeId !== null) undoSlotChange(parts, proposal.changeId, PERSON);
    return { state: 'open', changeId: null };
  }
  carryOut(parts, proposal, PERSON);
  return { state: 'accepted', changeId: lastSlotChange(parts.db, proposal.project, proposal.name) };
}
