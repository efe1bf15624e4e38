import type { DraftKind } from '../drafts.svelte.ts';
import { answerDrafts, mergeDrafts, wordingDrafts } from '../inbox/drafts.ts';
import { labDrafts } from '../lab/lab.svelte.ts';
import { learningDrafts } from '../learnings/draft.ts';
import { manyDrafts } from '../learnings/marks.svelte.ts';
import { newLearningDrafts } from '../learnings/new-learning.ts';
import { settingDrafts } from '../settings/settings.svelte.ts';
import { limitDrafts, newSlotDrafts, slotDrafts } from '../slots/slots.svelte.ts';
import type { Page } from './route.ts';

/** The page that shows each kind of draft. */
export const DRAFT_KINDS: Partial<Record<Page, readonly DraftKind<unknown>[]>> = {
  learnings: [learningDrafts, newLearningDrafts, manyDrafts],
  inbox: [mergeDrafts, answerDrafts, wordingDrafts],
  slots: [slotDrafts, newSlotDrafts, limitDrafts],
  settings: [settingDrafts],
  lab: [labDrafts],
};
