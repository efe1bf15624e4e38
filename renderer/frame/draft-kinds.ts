import type { DraftKind } from '../drafts.svelte.ts';
import { answerDrafts, mergeDrafts, wordingDrafts } from '../inbox/drafts.ts';
import { learningDrafts } from '../learnings/draft.ts';
import { newLearningDrafts } from '../learnings/new-learning.ts';
import { settingDrafts } from '../settings/settings.svelte.ts';
import { newSlotDrafts, slotDrafts } from '../slots/slots.svelte.ts';
import type { Page } from './route.ts';

/** The page that shows each kind of draft. */
export const DRAFT_KINDS: Partial<Record<Page, readonly DraftKind<unknown>[]>> = {
  learnings: [learningDrafts, newLearningDrafts],
  inbox: [mergeDrafts, answerDrafts, wordingDrafts],
  slots: [slotDrafts, newSlotDrafts],
  settings: [settingDrafts],
};
