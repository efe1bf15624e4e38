import type { Learning } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { Reversal } from '../frame/undo.svelte.ts';
import { reverseNewest } from '../slots/reversal.ts';
import { fieldsToRead } from './draft.ts';
import { fieldNames } from './words.ts';

/** The slot that rules are pinned to: of the project, or of every project. */
const slotFor = ({ scope, project }: Learning) =>
  scope === 'global' || project === ''
    ? { project: '', name: 'tool_guidelines' }
    : { project, name: 'guidance' };

/** Adds the rule to the text that every session starts with; returns the slot and how to undo that. */
export async function pinLearning(
  call: Call,
  learning: Learning,
): Promise<{ slot: string; undo: Reversal | null }> {
  const slot = slotFor(learning);
  await call('slots.append', { ...slot, text: `- ${learning.rule || learning.title}` });
  return { slot: slot.name, undo: await reverseNewest(call, slot) };
}

/** Says that no lesson was given there: dismisses the moment it came from, which archives the learning. */
export async function dismissSource(call: Call, { id }: Learning): Promise<void> {
  const chunks = await call('capture.lineage', { learning: id });
  const source = chunks.find(({ state }) => state === 'kept' || state === 'candidate');
  if (source) await call('capture.dismiss', { id: source.id });
  else await call('learnings.archive', { id, reason: 'wrong capture' });
}

/** The note as text to paste into a chat, an issue or a document. */
export function asMarkdown(learning: Learning): string {
  const fields = fieldsToRead(learning).map((field) => `**${fieldNames[field]}:** ${learning[field]}`);
  return [`### ${learning.title}`, ...fields, learning.body].filter(Boolean).join('\n\n');
}
