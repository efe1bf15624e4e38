const LONGEST = 120; // characters
const SHORT = 24; // characters; a shorter line, such as "Hi" or "Context:", says too little alone

/** The first request of a session as its title: one line, without code, markup and attachments. */
export function sessionTitle(request: string): string {
  const lines = request
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/<\/?[a-z][\w:-]*(?:\s[^<>]*)?>/gi, ' ')
    .replace(/!?\[(?:Image|Pasted text)[^\]]*\]/gi, ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s#>*•-]+/, '')
        .replace(/\*\*|__/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  // "Implement the following plan:" says as little.
  const [first = '', ...rest] = /:$/.test(lines[0] ?? '') && lines[1] ? lines.slice(1) : lines;
  return cut(first.length >= SHORT ? first : [first, ...rest].join(' '));
}

function cut(line: string): string {
  if (line.length <= LONGEST) return line;
  const kept = line.slice(0, LONGEST);
  const space = kept.lastIndexOf(' ');
  return `${(space > LONGEST / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.–-]+$/, '')}…`;
}
