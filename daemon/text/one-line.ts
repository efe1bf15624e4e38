/** A text on one line, cut hard at so many characters. */
export function oneLine(text: string, longest = Infinity): string {
  // Control characters cost six characters each in JSON and mean nothing in a line.
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

/** The beginning of a text as one line of at most so many characters, whole words of it. */
export function beginning(text: string, most: number): string {
  const line = oneLine(text);
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  return `${cut.slice(0, cut.lastIndexOf(' ') > most / 2 ? cut.lastIndexOf(' ') : cut.length)}…`;
}

const CLAUSE_ENDS = ['; ', ', ', ' (', ' - ', ' — ', '、', '，'];

/** One line no longer than this, cut between words; the end of a clause is preferred to its middle. */
export function shorten(text: string, longest: number): string {
  const line = oneLine(text);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  const clause = Math.max(...CLAUSE_ENDS.map((end) => cut.lastIndexOf(end)));
  const end = clause > longest * 0.6 ? clause : Math.max(cut.lastIndexOf(' '), longest / 2);
  return `${cut.slice(0, end).replace(/[\s,;:–—(-]+$/, '')}…`;
}
