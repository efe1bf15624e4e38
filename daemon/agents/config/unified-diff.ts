const CONTEXT = 3; // lines

interface Line {
  kind: ' ' | '-' | '+';
  text: string;
}

/** What `diff -u` prints; empty when the texts are equal. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const lines = compare(linesOf(before), linesOf(after));
  const head = [`--- ${before === null ? '/dev/null' : file}`, `+++ ${after === null ? '/dev/null' : file}`];
  return [...head, ...hunks(lines), ''].join('\n');
}

const linesOf = (text: string | null): string[] =>
  text === null || text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.replace(/\r$/, '␍'));

/** Myers' greedy search for the shortest way from one list to the other; ours are few, so it ends soon. */
function compare(a: string[], b: string[]): Line[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let d = 0; ; d++) {
    trail.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      let x = stepsDown(furthest, k, d) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trail);
    }
  }
}

const stepsDown = (furthest: Map<number, number>, k: number, d: number): boolean =>
  k === -d || (k !== d && (furthest.get(k - 1) ?? 0) < (furthest.get(k + 1) ?? 0));

function walkBack(a: string[], b: string[], trail: Map<number, number>[]): Line[] {
  const lines: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let d = trail.length - 1; d >= 0; d--) {
    const furthest = trail[d] ?? new Map<number, number>();
    const k = x - y;
    const from = stepsDown(furthest, k, d) ? k + 1 : k - 1;
    const fromX = furthest.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) lines.push({ kind: ' ', text: a[(--y, --x)] ?? '' });
    if (d === 0) break;
    if (x === fromX) lines.push({ kind: '+', text: b[--y] ?? '' });
    else lines.push({ kind: '-', text: a[--x] ?? '' });
  }
  return lines.reverse();
}

function hunks(lines: Line[]): string[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== ' '),
  );
  const printed: string[] = [];
  let [old, now] = [1, 1];
  for (let index = 0; index < lines.length; index++) {
    if (near[index] && !near[index - 1]) {
      const end = near.indexOf(false, index);
      const hunk = lines.slice(index, end < 0 ? undefined : end);
      const count = (other: Line['kind']) => hunk.filter(({ kind }) => kind !== other).length;
      printed.push(
        `@@ -${count('+') === 0 ? old - 1 : old},${count('+')} +${count('-') === 0 ? now - 1 : now},${count('-')} @@`,
      );
    }
    const { kind, text } = lines[index] ?? { kind: ' ', text: '' };
    if (near[index]) printed.push(`${kind}${text}`);
    if (kind !== '+') old++;
    if (kind !== '-') now++;
  }
  return printed;
}
