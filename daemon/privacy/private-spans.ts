/** Tags whose content is never kept: spans a person marked private, and additions of tools to a prompt (M6). */
const TAGS = [
  'private',
  'reflect-private',
  'claude-mem-context',
  'system-reminder',
  'system_instruction',
  'persisted-output',
];
const MARK = '[private content removed]';

// An opening tag counts even when its `>` was forgotten. Attributes end at the next `<`, or a hostile text of nothing
// but half tags would be read to its end once for each of them; for the same reason spaces are bounded.
const TAG = new RegExp(`<\\s{0,9}(/?)\\s{0,9}(${TAGS.join('|')})(?![\\w-])[^<>]*>?`, 'gi');

/** Removes private spans. A span that is never closed runs to the end: losing too much beats keeping a secret. */
export function stripPrivate(text: string): { text: string; removed: number } {
  if (!text.includes('<')) return { text, removed: 0 };
  let kept = '';
  let keptTo = 0;
  let removed = 0;
  const open: string[] = [];
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, rawName = ''] = match;
    const name = rawName.toLowerCase();
    if (!slash) {
      if (open.length === 0) kept += text.slice(keptTo, match.index);
      open.push(name);
    } else if (open.includes(name)) {
      // Tags that cross each other stay open until each has its own end.
      open.splice(open.lastIndexOf(name), 1);
      if (open.length > 0) continue;
      kept += name.includes('private') ? MARK : '';
      keptTo = match.index + tag.length;
      removed++;
    }
  }
  if (open.length > 0) return { text: `${kept}${MARK}`, removed: removed + 1 };
  return { text: kept + text.slice(keptTo), removed };
}
