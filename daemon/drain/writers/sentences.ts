/** Splits into sentences, leaving the dots of file names, versions and code alone; code blocks, headings and table rows are no sentences. */
export function sentences(text: string): string[] {
  return text
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/\p{Extended_Pictographic}\uFE0F?\s*/gu, '\n')
    .split(/(?<=[.!]["')*]*)\s+(?=[A-Z"'`(*])|(?<=\?)\s+|\n+|\s+<-\s+/u)
    .map(withoutMarkup)
    .filter((sentence) => sentence.length > 2);
}

/** List markers, headings, quote signs and emphasis go; code spans stay. */
function withoutMarkup(line: string): string {
  if (/^\s*(?:\||-{3,}|={3,})/.test(line)) return '';
  return line
    .replace(/^\s*(?:>+|#{1,6}|[-*+•]|\d+[.)])\s+/, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(^|\s)[*_]([^*_\n]+)[*_](?=[\s.,;:!?]|$)/g, '$1$2')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** One line no longer than this, cut between words; a clause's end is preferred to its middle. */
export function shorten(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  const clause = Math.max(
    cut.lastIndexOf('; '),
    cut.lastIndexOf(', '),
    cut.lastIndexOf(' ('),
    cut.lastIndexOf(' - '),
    cut.lastIndexOf(' — '),
  );
  const end = clause > longest * 0.6 ? clause : Math.max(cut.lastIndexOf(' '), longest / 2);
  return `${cut.slice(0, end).replace(/[\s,;:–—(-]+$/, '')}…`;
}
