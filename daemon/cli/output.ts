import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });
export const bold = (text: string) => paint('bold', text);
export const dim = (text: string) => paint('dim', text);

/**
 * Everything that commands a terminal, except our own bold and dim, and what nobody sees: marks of direction, tags and
 * other invisible characters. Joiners stay, because emoji and some scripts need them.
 */
const CONTROLS =
  /(\u001B\[(?:1|2|22)m)|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/gu;

/** A note may come from anyone: it must not set the title, clear the screen, fill the clipboard or hide a text. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '$1');

const ESCAPED = /[\u007F-\u009F]/g; // JSON leaves these as they are

/** The same for JSON, where nothing is lost: control characters are written as escapes. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    ESCAPED,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function print(...lines: string[]): void {
  process.stdout.write(`${withoutControls(lines.join('\n'))}\n`);
}

/** Goes to standard error, so that scripts read clean output. */
export function warn(sentence: string): void {
  process.stderr.write(`reflect: ${withoutControls(sentence)}\n`);
}

/** Pads each column to its widest cell, except the last column. */
export function table(rows: string[][], header?: string[]): string[] {
  const all = header ? [header, ...rows] : rows;
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return header ? [dim(line(header)), ...rows.map(line)] : rows.map(line);
}

/** Prints a list as a table of these cells. */
export const tableOf =
  <T>(cells: (each: T) => string[], header?: string[]) =>
  (list: readonly T[]): void =>
    print(...table(list.map(cells), header));

export const ago = (at: number): string => `${span(at)} ago`;

/** The time since then, in the largest unit that fits. */
export function span(at: number): string {
  const seconds = Math.max(0, (Date.now() - at) / 1_000);
  const [unit, size] = (
    [
      ['y', 31_536_000],
      ['mo', 2_592_000],
      ['d', 86_400],
      ['h', 3_600],
      ['min', 60],
    ] as const
  ).find(([, length]) => seconds >= length) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

export function bytes(count: number): string {
  return count >= 1e9
    ? `${(count / 1e9).toFixed(1)} GB`
    : count >= 1e6
      ? `${(count / 1e6).toFixed(0)} MB`
      : `${Math.ceil(count / 1e3)} kB`;
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;
