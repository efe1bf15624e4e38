import { formatPatch, structuredPatch } from 'diff';

const CONTEXT = 3; // lines

/** The difference as `diff -u` prints it; empty when the texts are equal. A null text is a file that does not exist. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const patch = structuredPatch(
    before === null ? '/dev/null' : file,
    after === null ? '/dev/null' : file,
    withVisibleReturns(before),
    withVisibleReturns(after),
    undefined,
    undefined,
    { context: CONTEXT },
  );
  return formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

/** A final line break is never the difference that is shown; a carriage return may be. */
const withVisibleReturns = (text: string | null): string =>
  (text ?? '').replace(/\r$/gm, '␍').replace(/\n?$/, (end) => (text ? end || '\n' : end));
