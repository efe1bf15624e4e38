import { oneLine } from './one-line.ts';

/** Invisible characters: zero-width and direction marks, tags, soft hyphens, fillers. */
const INVISIBLE =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Tags that agents and their models use to tell speakers apart; a note must not open or close one. */
const FRAME_TAG =
  /<(?=\s*[/|!]?\s*(?:\||system|user|assistant|human|developer|instruction|prompt|context|tool|function|reminder|message|important|admin|reflect|private|claude|antml|im_|inst|s>|--))/gi;

/**
 * A text of a note as part of one line of what an agent reads. It cannot begin a line, a heading or a list of its own,
 * hide anything, or pass for the frame of the conversation.
 */
export function plainLine(text: string, longest = Infinity): string {
  return oneLine(withoutFrames(withoutInvisible(text)), longest);
}

/** A text of several lines as a quotation: none of its lines can be mistaken for a line of the block itself. */
export function quoted(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/)
    .map((line) => `> ${plainLine(line)}`.trimEnd())
    .join('\n');
}

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

const withoutFrames = (text: string) => text.replace(FRAME_TAG, '‹').replace(/\[(?=\/?INST\])/gi, '(');
