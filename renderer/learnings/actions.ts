import type { Learning } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { AppContext } from '../context.ts';
import { doReversibly, type Reversal, reverseChange } from '../frame/undo.svelte.ts';
import { copyText } from '../shell.ts';
import { reverseNewest } from '../slots/reversal.ts';
import { slotTitle } from '../slots/words.ts';
import { fieldsToRead } from './draft.ts';
import { fieldNames, learningsWords as words } from './words.ts';

/** The slot that rules are pinned to: of the project, or of every project. */
const slotFor = ({ scope, project }: Learning) =>
  scope === 'global' || project === ''
    ? { project: '', name: 'tool_guidelines' }
    : { project, name: 'guidance' };

/** Adds the rule to the text that every session starts with; returns the slot and how to undo that. */
async function pinLearning(call: Call, learning: Learning): Promise<{ slot: string; undo: Reversal | null }> {
  const slot = slotFor(learning);
  await call('slots.append', { ...slot, text: `- ${learning.rule || learning.title}` });
  return { slot: slot.name, undo: await reverseNewest(call, slot) };
}

/** Says that no lesson was given there: dismisses the moment it came from, which archives the learning. */
async function dismissSource(call: Call, { id }: Learning): Promise<Reversal> {
  const chunks = await call('capture.lineage', { learning: id });
  const source = chunks.find(({ state }) => state === 'kept' || state === 'candidate');
  if (source)
    return doReversibly(
      () => call('capture.dismiss', { id: source.id }),
      () => call('capture.dismiss', { id: source.id, dismissed: false }),
    );
  const { changeId } = await call('learnings.archive', { id, reason: 'wrong capture' });
  return reverseChange(call, changeId);
}

/** The note as text to paste into a chat, an issue or a document. */
function asMarkdown(learning: Learning): string {
  const fields = fieldsToRead(learning).map((field) => `**${fieldNames[field]}:** ${learning[field]}`);
  return [`### ${learning.title}`, ...fields, learning.body].filter(Boolean).join('\n\n');
}

/** The actions of keys, palette and buttons on one learning; each is reported in the undo bar. */
export const learningActions = ({ daemon, undo }: Pick<AppContext, 'daemon' | 'undo'>) => ({
  async copyRule(learning: Learning) {
    await copyText(learning.rule || learning.fix || learning.title);
    undo.announce(words.ruleCopied);
  },
  async copyMarkdown(learning: Learning) {
    await copyText(asMarkdown(learning));
    undo.announce(words.markdownCopied);
  },
  pin: (learning: Learning) =>
    undo.attempt(async () => {
      const { slot, undo: reverse } = await pinLearning(daemon.call, learning);
      undo.announce(words.pinned(slotTitle(slot)), reverse ?? undefined);
    }),
  dismissWrong: (learning: Learning) =>
    undo.attempt(async () => {
      undo.announce(words.wrongSaid, await dismissSource(daemon.call, learning));
    }),
});
