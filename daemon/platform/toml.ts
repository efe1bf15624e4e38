import { parse, stringify, type TomlTable } from 'smol-toml';

// Edits TOML as text, because a person's comments and order must survive; `smol-toml` can only parse and rewrite.

/** The table of a TOML text. Without the last line's end, `smol-toml` before 1.7 never returns from `a = [1 # note`. */
export const parseToml = (text: string): TomlTable => parse(`${text}\n`);

export interface Section {
  /** The key of its header. */
  key: string;
  start: number;
  end: number;
}

/** The text with one top-level key set, or without it where the value is undefined. */
export function setKey(text: string, name: string, value: unknown): string {
  const all = statements(text);
  const tables = all.find(({ line }) => headerKey(line) !== null)?.start ?? text.length;
  const isName = new RegExp(`^\\s*["']?${name}["']?\\s*=`);
  const above = all
    .filter(({ line, start }) => start < tables && isName.test(line))
    .reduceRight(
      (rest, { line, start }) => rest.slice(0, start) + rest.slice(start + line.length),
      text.slice(0, tables),
    );
  const line = value === undefined ? '' : stringify({ [name]: value });
  const below = tables < text.length ? `\n${text.slice(tables)}` : '';
  // Before the first table, which the key would otherwise be part of.
  return `${above.trimEnd()}\n${line}${below}`.replace(/^\n+/, '');
}

/** The text with a table at its end, after a blank line. */
export function appendTable(text: string, table: string, eol: string): string {
  if (text.replace('\uFEFF', '').trim() === '') return text + table;
  const gap = /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + table;
}

/** The text with these values in a section; other keys of the section stay. */
export function replaceTable(
  text: string,
  { start, end }: Section,
  table: string,
  values: TomlTable,
): string {
  const [, ...own] = statements(text.slice(start, end));
  const kept = own.filter(
    ({ line }) => !Object.keys(values).some((key) => new RegExp(`^\\s*${key}\\s*[=.]`).test(line)),
  );
  return (
    text.slice(0, start) +
    table +
    kept.map(({ line }) => (line.endsWith('\n') ? line : `${line}\n`)).join('') +
    text.slice(end)
  );
}

/** The text without a table, its sub-tables and this comment above it. */
export function removeTable(text: string, key: string, comment: string): string {
  const ours = sections(text).filter((section) => section.key === key || section.key.startsWith(`${key}.`));
  return ours.reduceRight((rest, { start, end }) => {
    const above = rest.slice(0, start).replace(/\r?\n$/, '');
    const head = above.endsWith(comment) ? above.slice(0, -comment.length) : rest.slice(0, start);
    const tail = rest.slice(end);
    return head + (/\n\r?\n$/.test(head) ? tail.replace(/^\r?\n/, '') : tail); // one blank line is enough where the table was
  }, text);
}

/** The tables of a text; comments and blank lines before the next header are not part of one. */
export function sections(text: string): Section[] {
  const found: Section[] = [];
  for (const { line, start } of statements(text)) {
    const key = headerKey(line);
    if (key !== null) found.push({ key, start, end: start });
    const section = found.at(-1);
    if (section) section.end = start + line.length;
  }
  return found;
}

/** Headers and assignments with their line ends, each whole even if its value spans lines; comments are left out. */
function statements(text: string): { line: string; start: number }[] {
  const found: { line: string; start: number }[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = statementEnd(text, start);
    const line = text.slice(start, end);
    if (/^[\s\uFEFF]*[^\s#\uFEFF]/.test(line)) found.push({ line, start });
  }
  return found;
}

const STRINGS = /"""(?:\\[^]|[^\\])*?"""+|'''[^]*?'''+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/;
const TOKEN = new RegExp(`${STRINGS.source}|#[^\\n]*|[[\\]{}]|\\n`, 'g');

/** The end of the line on which a statement ends: brackets and strings may span lines. */
function statementEnd(text: string, start: number): number {
  let depth = 0;
  for (const token of text.slice(start).matchAll(TOKEN)) {
    if (token[0] === '[' || token[0] === '{') depth++;
    else if (token[0] === ']' || token[0] === '}') depth--;
    else if (token[0] === '\n' && depth <= 0) return start + token.index + 1;
  }
  return text.length;
}

/** `[a."b".c]` → `a.b.c`; null for an assignment. */
function headerKey(line: string): string | null {
  const inner = /^[\s\uFEFF]*\[\[?([^]*?)\]\]?\s*(?:#[^\n]*)?$/.exec(line.trimEnd())?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)]
    .map(([, basic, literal, bare]) => basic ?? literal ?? bare ?? '')
    .join('.');
}
