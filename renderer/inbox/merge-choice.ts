import { type Learning, type Note, TEXT_FIELDS } from '#contract/entities.ts';
import { tagsOf } from '../learnings/draft.ts';

export const CHOICES = ['existing', 'incoming', 'both'] as const;
export type Choice = (typeof CHOICES)[number];

export const MERGED_FIELDS = ['title', ...TEXT_FIELDS, 'body', 'category', 'tags'] as const;
export type MergedField = (typeof MERGED_FIELDS)[number];
export type Choices = Partial<Record<MergedField, Choice>>;

/** A title or a category that says two things says nothing. */
export const canTakeBoth = (field: MergedField): boolean => field !== 'title' && field !== 'category';

const asText = (note: Note, field: MergedField): string =>
  field === 'tags' ? note.tags.join(', ') : note[field];

export const differingFields = (existing: Note, incoming: Note): MergedField[] =>
  MERGED_FIELDS.filter((field) => asText(existing, field) !== asText(incoming, field));

/** The existing text stays, unless only the new note has any; tags add up. */
export const firstChoices = (existing: Note, incoming: Note): Choices =>
  Object.fromEntries(
    differingFields(existing, incoming).map((field) => [
      field,
      field === 'tags' ? 'both' : asText(existing, field).trim() === '' ? 'incoming' : 'existing',
    ]),
  );

function chosenText(existing: string, incoming: string, choice: Choice): string {
  if (choice === 'both') return [existing, incoming].filter((text) => text.trim() !== '').join('\n\n');
  return choice === 'existing' ? existing : incoming;
}

/** Text a person typed over the chosen text of a field. */
export type Edits = Partial<Record<MergedField, string>>;

/** The fields of the merged note that are in question, as chosen and edited. */
export function editedNote(
  existing: Learning,
  incoming: Learning,
  choices: Choices,
  edits: Edits,
): Partial<Note> {
  const typed = Object.entries(edits).map(([field, text]) => [field, field === 'tags' ? tagsOf(text) : text]);
  return { ...mergedNote(existing, incoming, choices), ...Object.fromEntries(typed) };
}

/** The fields of the merged note that are in question, as chosen. */
export function mergedNote(existing: Learning, incoming: Learning, choices: Choices): Partial<Note> {
  return Object.fromEntries(
    differingFields(existing, incoming).map((field) => {
      const choice = choices[field] ?? 'existing';
      if (field !== 'tags') return [field, chosenText(existing[field], incoming[field], choice)];
      return [
        field,
        choice === 'both'
          ? [...new Set([...existing.tags, ...incoming.tags])]
          : choice === 'existing'
            ? existing.tags
            : incoming.tags,
      ];
    }),
  );
}
