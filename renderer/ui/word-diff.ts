export type Segment = { kind: 'same' | 'removed' | 'added'; text: string };

/** Beyond this many table cells the exact answer is not worth the wait; the middle is then shown as replaced. */
const MOST_CELLS = 4_000_000;

/** Words, the spaces between them and single signs, so that joining the tokens gives the text back. */
const tokensOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** How one text became another, word by word: the longest common subsequence stays, the rest is removed or added. */
export function wordDiff(before: string, after: string): Segment[] {
  const old = tokensOf(before);
  const fresh = tokensOf(after);

  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let oldEnd = old.length;
  let freshEnd = fresh.length;
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) {
    oldEnd--;
    freshEnd--;
  }

  return joined([
    { kind: 'same', text: old.slice(0, start).join('') },
    ...middleDiff(old.slice(start, oldEnd), fresh.slice(start, freshEnd)),
    { kind: 'same', text: old.slice(oldEnd).join('') },
  ]);
}

function middleDiff(old: string[], fresh: string[]): Segment[] {
  const width = fresh.length + 1;
  if ((old.length + 1) * width > MOST_CELLS) {
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: fresh.join('') },
    ];
  }

  // lengths[i * width + j]: longest common subsequence of old from i and fresh from j.
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }

  const segments: Segment[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      segments.push({ kind: 'same', text: old[i] ?? '' });
      i++;
      j++;
    } else if (i < old.length && (j === fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      segments.push({ kind: 'removed', text: old[i++] ?? '' });
    } else {
      segments.push({ kind: 'added', text: fresh[j++] ?? '' });
    }
  }
  return segments;
}

/** Neighbours of one kind become one run; a lone space between two changed runs joins them, for it only flickers. */
function joined(segments: Segment[]): Segment[] {
  const runs: Segment[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed) runs.push({ kind: 'removed', text: removed });
    if (added) runs.push({ kind: 'added', text: added });
    removed = added = '';
  };
  const filled = segments.filter(({ text }) => text !== '');
  filled.forEach(({ kind, text }, index) => {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (
      removed &&
      added &&
      /^\s+$/.test(text) &&
      filled[index + 1] &&
      filled[index + 1]?.kind !== 'same'
    ) {
      removed += text;
      added += text;
    } else {
      flush();
      const last = runs.at(-1);
      if (last?.kind === 'same') last.text += text;
      else runs.push({ kind, text });
    }
  });
  flush();
  return runs;
}
