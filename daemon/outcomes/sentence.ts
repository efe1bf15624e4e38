/** The beginning of a text as one line of at most so many characters, whole words of it. */
export function beginning(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  return `${cut.slice(0, cut.lastIndexOf(' ') > most / 2 ? cut.lastIndexOf(' ') : cut.length)}…`;
}

export const firstSentence = (text: string, most: number): string =>
  beginning(text.trim().split(/(?<=[.!?])\s|\n/)[0] ?? '', most);
