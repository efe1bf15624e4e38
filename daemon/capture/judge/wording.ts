import { straightQuotes } from '../../text/sentences.ts';

/** A longer text was pasted or printed; its beginning is enough, and patterns stay fast. */
export const JUDGED = 8_000; // characters

/** Lower case, straight quotes, single spaces, no emoji: what patterns are matched against. */
export function plain(text: string): string {
  return straightQuotes(text.slice(0, JUDGED))
    .toLowerCase()
    .replace(/\p{Extended_Pictographic}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const INTERJECTION = '(?:now|next|first|then|ok|okay|good|great|perfect|excellent|right)[,.! —-]*';
const NEXT_STEP =
  "let me|let's|i'll|i will|i'm (?!not|sure)\\w+|i am|now i|i need to|i can|i should|running|checking|looking";
const NARRATION = new RegExp(`^(?:${INTERJECTION})?(?:${NEXT_STEP})\\b`, 'i');

/** Tests a text for any of these patterns. */
export const anyOf =
  (...patterns: RegExp[]) =>
  (text: string) =>
    patterns.some((pattern) => pattern.test(text));

/** True for a text that announces the speaker's next step and states nothing. */
export const narrates = (text: string) => NARRATION.test(text);

/** The sentences that state something, without code blocks, headings and narration. */
export function statements(text: string): string[] {
  return straightQuotes(text.slice(0, JUDGED))
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split(/(?<=[.!?:])\s+(?=[\p{Lu}\p{Lo}"'`(*\d-])|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 25 && !narrates(sentence));
}
