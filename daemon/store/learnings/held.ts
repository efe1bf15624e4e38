import { type Note, NOTE_TEXTS } from '#contract/entities.ts';
import { instructionReasons } from '../../privacy/reads-like-instructions.ts';
import { ordersToAgents } from '../../text/orders-to-agents.ts';
import { otherSpellings } from '../../text/other-spellings.ts';
import { isLive } from './searchable.ts';

/** The key of a note's metadata that says why it waits for a person. */
export const HELD_KEY = 'held';
const PERSON = 'person';

interface ChangeCause {
  actor: string;
  kind: string;
}

const textOf = (note: Note) => NOTE_TEXTS.map((field) => note[field]).join('\n');

const LONGEST = 20_000; // characters; what follows cannot be injected

/** Why a text reads like instructions to an agent, as written or in the letters it stands for. */
export function reasonsToHold(text: string): string[] {
  const reasons = reasonsAsWritten(text);
  if (reasons.length > 0) return reasons;
  const isDisguised = otherSpellings(text.slice(0, LONGEST)).some((one) => reasonsAsWritten(one).length > 0);
  return isDisguised ? ['contains words in disguise'] : [];
}

const reasonsAsWritten = (text: string) => [
  ...new Set([...instructionReasons(text), ...ordersToAgents(text.slice(0, LONGEST))]),
];

/** Why a note reads like instructions to an agent. */
export const suspicionsOf = (note: Note): string[] => reasonsToHold(textOf(note));

/**
 * A note that reads like instructions to an agent becomes a proposal, regardless of its author. A person lets it
 * through by accepting the proposal; from then on the same words may stay.
 */
export function heldIfSuspicious(before: Note | null, note: Note, why: ChangeCause): Note {
  if (!isLive(note) || mayPass(before, note, why)) return withoutReasons(note);
  const reasons = suspicionsOf(note);
  return reasons.length === 0
    ? withoutReasons(note)
    : { ...note, status: 'proposed', metadata: { ...note.metadata, [HELD_KEY]: reasons } };
}

function mayPass(before: Note | null, note: Note, { actor, kind }: ChangeCause): boolean {
  if (before === null) return false;
  if (isLive(before) && textOf(before) === textOf(note)) return true;
  return actor === PERSON && (!isLive(before) || kind === 'merge' || kind === 'undo');
}

function withoutReasons(note: Note): Note {
  if (!isLive(note) || !(HELD_KEY in note.metadata)) return note;
  const { [HELD_KEY]: _, ...metadata } = note.metadata;
  return { ...note, metadata };
}
