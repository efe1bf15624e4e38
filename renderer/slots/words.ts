import { capitalized, formatCount, plural } from '../ui/format.ts';

/** A slot as people call it: `user_preferences` is "User preferences". */
export const slotTitle = (name: string): string => capitalized(name.replaceAll('_', ' '));

/** The name a slot is kept under: "Release checklist" is `release_checklist`. */
export const slotNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');

/** A text of several lines, or a list, as a row shows it. */
export const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+•]|#{1,6}|\d+[.)])\s+/, '').trim())
    .filter(Boolean)
    .join(' · ');

export const slotsWords = {
  list: 'Slots',
  explain: 'Pinned text that every session starts with.',
  global: 'Every project',
  used: (used: number, limit: number) => `${formatCount(used)} of ${formatCount(limit)} characters`,
  over: (by: number) => `${plural(by, 'character', 'characters')} too many`,
  readOnly: 'Read-only until unlocked.',
  create: 'New slot',
  createTitle: 'New slot',
  createIt: 'Create',
  created: (name: string) => `Created “${slotTitle(name)}”.`,
  name: 'Name',
  nameExample: 'Release checklist',
  project: 'Applies to',
  description: 'Description',
  limit: 'Limit',
  lock: 'Lock',
  unlock: 'Unlock',
  moved: 'Moved.',
  locked: (name: string) => `Locked “${slotTitle(name)}”.`,
  unlocked: (name: string) => `Unlocked “${slotTitle(name)}”.`,
  resized: (name: string) => `Changed the limit of “${slotTitle(name)}”.`,
  remove: 'Remove',
  emptied: (name: string) => `Removed “${slotTitle(name)}”.`,
  preview: (project: string) => `Preview: start of a session in ${project}`,
  previewEmpty: 'empty',
  empty: 'empty',
  showEmpty: (count: number) => `Show ${plural(count, 'empty slot', 'empty slots')}`,
  hideEmpty: 'Hide empty slots',
  emptyTitle: 'Nothing pinned yet',
  emptyBody:
    'Slots hold what every session should know: who you are, how this project works, what comes next. Write one, or pin a learning.',
  saved: (name: string) => `Saved “${slotTitle(name)}”.`,
  content: 'Text',
  updated: (ago: string) => `changed ${ago}`,
  chooseOne: 'Select a slot to read it.',
};
