import { beginning } from './one-line.ts';

/** Where one sentence ends and the next begins, without the dots of file names, versions and code. */
const BREAKS = [
  /(?<=[.!]["')*]*)\s+(?=[\p{Lu}\p{Lo}"'`(*])/u,
  /(?<=\?)\s+/u,
  /(?<=[。！？][」』）]*)(?![」』）])\s*/u,
  /\n+/u,
  /\s+<-\s+/u,
];
const BREAK = new RegExp(BREAKS.map(({ source }) => source).join('|'), 'u');
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;
const TABLE_ROW = /^\s*\|.*$/gm;

/** Straight quotes, so that patterns need to know only one kind. */
export const straightQuotes = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');

/** The sentences of a text without markup. Code blocks, headings and table rows are no sentences. */
export function sentences(text: string): string[] {
  return straightQuotes(text)
    .replace(CODE_BLOCK, '\n')
    .replace(TABLE_ROW, '')
    .replace(/\p{Extended_Pictographic}\uFE0F?\s*/gu, '\n')
    .split(BREAK)
    .map(withoutMarkup)
    .filter((sentence) => sentence.length > 2);
}

/** List markers, headings, quote signs and emphasis go; code spans stay. */
function withoutMarkup(line: string): string {
  if (/^\s*(?:-{3,}|={3,})/.test(line)) return '';
  return line
    .replace(/^\s*(?:>+|#{1,6}|[-*+•]|\d+[.)])\s+/, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(^|\s)[*_]([^*_\n]+)[*_](?=[\s.,;:!?]|$)/g, '$1$2')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

export const firstSentence = (text: string, most: number): string =>
  beginning(text.trim().split(/(?<=[.!?])\s|(?<=[。！？])|\n/)[0] ?? '', most);
