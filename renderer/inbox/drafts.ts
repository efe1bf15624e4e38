import * as z from 'zod';
import type { DraftKind, Drafts } from '../drafts.svelte.ts';
import { CHOICES, type Choices, type Edits, MERGED_FIELDS } from './merge-choice.ts';

/** The merge of two notes: a choice per field, and the text typed over it. */
export interface MergeDraft {
  choices: Choices;
  edits: Edits;
}

const MergedField = z.enum(MERGED_FIELDS);
export const mergeDrafts: DraftKind<MergeDraft> = {
  name: 'merge',
  schema: z.object({
    choices: z.partialRecord(MergedField, z.enum(CHOICES)),
    edits: z.partialRecord(MergedField, z.string()),
  }),
  isUnsaved: ({ edits }) => Object.keys(edits).length > 0,
};

/** The answer to a question without one, while it is being written. */
export const answerDrafts: DraftKind<{ text: string }> = {
  name: 'answer',
  schema: z.object({ text: z.string() }),
  isUnsaved: ({ text }) => text.trim() !== '',
};

/** A candidate in other words, while they are being written. */
export const wordingDrafts: DraftKind<{ text: string; before: string }> = {
  name: 'wording',
  schema: z.object({ text: z.string(), before: z.string() }),
  isUnsaved: ({ text, before }) => text.trim() !== '' && text !== before,
};

export const DRAFT_KINDS: readonly DraftKind<unknown>[] = [mergeDrafts, wordingDrafts, answerDrafts];

/** Drops the draft of a decision; returns how to bring it back, if there was one. */
export function discardDraft(drafts: Drafts, key: string): (() => void) | null {
  for (const kind of DRAFT_KINDS) {
    const draft = drafts.discard(kind, key);
    if (draft) return () => drafts.set(kind, key, draft);
  }
  return null;
}
