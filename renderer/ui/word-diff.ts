import { diffArrays } from 'diff';

type Segment = { kind: 'same' | 'removed' | 'added'; text: string };

/** Beyond this the exact answer is not worth the wait; the texts are then shown as replaced. */
const LONGEST_MS = 200;

/** Words, the spaces between them and single signs, so that joining the tokens gives the text back. */
const tokensOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The difference between two texts, word by word: shared words stay, the rest is removed or added. */
export function wordDiff(before: string, after: string): Segment[] {
  const [old, fresh] = [tokensOf(before), tokensOf(after)];
  const changes = diffArrays(old, fresh, { timeout: LONGEST_MS }) ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  return joined(
    changes.map(({ value, removed, added }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      text: value.join(''),
    })),
  );
}

/** Neighbours of one kind become one run. A lone space between two changed runs joins them: it only flickers. */
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
