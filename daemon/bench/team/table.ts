/** One line of the result: what was measured, and the bar it must meet if there is one. */
export interface Line {
  what: string;
  measured: string;
  bar?: string;
  met?: boolean;
}

const MARKS = { true: '✓', false: '✗' };
const markOf = ({ met }: Line) => (met === undefined ? ' ' : MARKS[`${met}`]);

export function asText(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(({ what }) => what.length));
  const middle = Math.max(...lines.map(({ measured }) => measured.length));
  return lines
    .map((line) =>
      `${markOf(line)} ${line.what.padEnd(width)}  ${line.measured.padEnd(middle)}  ${line.bar ?? ''}`.trimEnd(),
    )
    .join('\n');
}

export const asMarkdown = (lines: readonly Line[]): string =>
  [
    '| what | measured | bar | |',
    '|---|---|---|---|',
    ...lines.map(
      (line) => `| ${line.what} | ${line.measured} | ${line.bar ?? ''} | ${markOf(line).trim()} |`,
    ),
  ].join('\n');

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
