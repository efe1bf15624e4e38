import type { Note } from '#contract/entities.ts';
import { withoutReasons } from '../../text/kept-because.ts';
import { withParts } from '../../text/tokenise.ts';
import type { WeighedTexts } from './word-index.ts';

/** The text of a note by importance; it is also what is embedded and reranked. */
export function searchText(note: Note): { title: string; gist: string; text: string } {
  const gist = [note.rule, note.fix, note.keyInsight, note.summary, note.guidance, note.correctAction];
  const text = [
    note.problem,
    note.rootCause,
    note.keyMistake,
    note.task,
    withoutReasons(note.body),
    ...note.entities.map(({ name }) => name),
  ];
  return { title: note.title, gist: joinDistinct(gist), text: joinDistinct(text) };
}

/** The rule comes first, because models cut long texts at the end. */
export function embeddedText(note: Note): string {
  const { title, gist, text } = searchText(note);
  return [title, gist, text].join('\n').slice(0, 4_000);
}

export function sameSearchText(one: Note, other: Note): boolean {
  return JSON.stringify(searchText(one)) === JSON.stringify(searchText(other));
}

function joinDistinct(parts: string[]): string {
  return [...new Set(parts.filter((part) => part !== ''))].join('\n');
}

/** The columns that words are searched in. */
export const COLUMNS = ['title', 'gist', 'text', 'tags'] as const;

/** Titles hold the rule in one sentence, so their words weigh most. */
export const COLUMN_WEIGHTS: Readonly<Record<(typeof COLUMNS)[number], number>> = {
  title: 4,
  gist: 2,
  text: 1,
  tags: 2,
};

/** A note's words by column, identifiers also in parts. */
export function columnsOf(note: Note): string[] {
  const { title, gist, text } = searchText(note);
  return [withParts(title), withParts(gist), withParts(text), note.tags.map(withParts).join(' ')];
}

export const weighedTexts = (note: Note): WeighedTexts => {
  const texts = columnsOf(note);
  return COLUMNS.map((column, at) => [texts[at] ?? '', COLUMN_WEIGHTS[column]] as const);
};
