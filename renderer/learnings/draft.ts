import * as z from 'zod';
import { Learning, Note, TEXT_FIELDS } from '#contract/entities.ts';
import type { DraftKind } from '../drafts.svelte.ts';
import { editWords, fieldNames } from './words.ts';

/** Those a form always shows; the rest appear once they hold something. */
const ALWAYS_EDITED: readonly string[] = ['rule', 'problem', 'rootCause', 'fix', 'keyInsight'];

/** The long texts that a note has; one in the words of its title, or of one before it, says nothing new. */
export function fieldsToRead(note: Note): TextField[] {
  const read = new Set(['', saidIn(note.title)]);
  return TEXT_FIELDS.filter((field) => read.size < read.add(saidIn(note[field])).size);
}

/** A text without what makes no difference: "Root cause: the cache." says "the cache". */
const saidIn = (text: string): string =>
  text
    .trim()
    .replace(/^(?:root )?(?:cause|fix|rule|problem): */i, '')
    .replace(/[.!]$/, '')
    .toLowerCase();

type TextField = (typeof TEXT_FIELDS)[number];

export const EDITED_FIELDS = [
  'title',
  ...TEXT_FIELDS,
  'body',
  'category',
  'type',
  'tags',
  'confidence',
  'project',
  'scope',
] as const;
type EditedField = (typeof EDITED_FIELDS)[number];

/** The fields of the form, with tags as they are typed. */
export type Draft = Pick<Learning, Exclude<EditedField, 'tags'>> & { tags: string };

export function draftOf(learning: Learning): Draft {
  const fields = Object.fromEntries(EDITED_FIELDS.map((field) => [field, learning[field]]));
  return { ...(fields as Pick<Learning, EditedField>), tags: learning.tags.join(', ') }; // every field is listed
}

/** The edit of a learning, with the version it was made from. */
export interface LearningDraft {
  draft: Draft;
  base: Learning;
}

const typed = z.string();
export const learningDrafts: DraftKind<LearningDraft> = {
  name: 'learning',
  // Text may still be too long or empty while it is being typed; saving checks it.
  schema: z.object({
    base: Learning,
    draft: z.object({
      title: typed,
      rule: typed,
      problem: typed,
      rootCause: typed,
      fix: typed,
      keyInsight: typed,
      summary: typed,
      task: typed,
      keyMistake: typed,
      correctAction: typed,
      guidance: typed,
      body: typed,
      category: typed,
      type: typed,
      tags: typed,
      confidence: z.number(),
      project: typed,
      scope: Learning.shape.scope,
    }),
  }),
  isUnsaved: ({ draft, base }) => Object.keys(patchOf(base, draft)).length > 0,
};

export const textFieldsToEdit = (learning: Learning): TextField[] =>
  TEXT_FIELDS.filter((field) => ALWAYS_EDITED.includes(field) || learning[field] !== '');

/** Tags as they are typed: separated by commas, each once. */
export const tagsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** Only what differs from what was read, so that a save touches nothing else. */
export function patchOf(learning: Learning, draft: Draft): Partial<Note> {
  const edited: Partial<Note> = { ...draft, title: draft.title.trim(), tags: tagsOf(draft.tags) };
  return Object.fromEntries(
    EDITED_FIELDS.filter((field) => JSON.stringify(edited[field]) !== JSON.stringify(learning[field])).map(
      (field) => [field, edited[field]],
    ),
  );
}

/** The reason a draft cannot be saved, in words. */
export function draftProblem(draft: Draft): string | null {
  if (draft.title.trim() === '') return editWords.needsTitle;
  const parsed = Note.partial().safeParse({ ...draft, tags: tagsOf(draft.tags) });
  const issue = parsed.error?.issues[0];
  if (!issue) return null;
  const field = EDITED_FIELDS.find((name) => name === issue.path[0]);
  const label = field ? fieldNames[field] : fieldNames.title;
  return issue.code === 'too_big'
    ? editWords.tooLong(label, Number(issue.maximum))
    : `${label}: ${issue.message}`;
}

/** A field of a note as text, for diffs. */
export function fieldText(note: Note | null, field: string): string {
  const value = note?.[field as keyof Note];
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string')
      ? value.join(', ')
      : JSON.stringify(value, null, 1);
  if (typeof value === 'boolean') return value ? editWords.yes : editWords.no;
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value);
}

const labels: Record<string, string> = fieldNames;
export const fieldLabel = (field: string): string => labels[field] ?? field;
