import { sentences } from '../../text/sentences.ts';

const LONGEST = 220; // characters; a title with a list in it is still read at a glance
const MOST_ITEMS = 4;
const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+(.+)$/;

/** Every short list of a text as one statement: "It reads two files:" and its items. */
export function listsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const introduction = sentences(line).at(-1) ?? '';
    if (!introduction.endsWith(':') || ITEM.test(line)) return [];
    const items = itemsFrom(lines.slice(index + 1));
    if (items.length < 2 || items.length > MOST_ITEMS) return [];
    const whole = `${introduction} ${items.join('; ')}`;
    return whole.length <= LONGEST ? [whole] : [];
  });
}

function itemsFrom(lines: string[]): string[] {
  const end = lines.findIndex((line) => !ITEM.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).map((line) =>
    sentences(line).join(' ').replace(/[.;]$/, ''),
  );
}
