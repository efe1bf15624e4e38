import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable, TomlError } from 'smol-toml';
import type { Edit } from './edit.ts';
import { ConfigProblem } from '../problems.ts';

interface Section {
  /** The key of its header. */
  key: string;
  start: number;
  end: number;
}

/** One table of ours in a TOML text, with a comment above it; everything else keeps its bytes. */
export function editTomlTable(path: string[], values: TomlTable, comment: string): Edit {
  const key = path.join('.');
  const table = `[${key}]\n${assignments(values)}`;
  return {
    apply(text) {
      const before = parseToml(text);
      const existing = at(before, path) as TomlTable | undefined;
      const wanted = { ...existing, ...values };
      if (isDeepStrictEqual(existing, wanted)) return text;
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const section = sections(text).find((candidate) => candidate.key === key);
      const put = section ? replace(text, section, table, values) : append(text, `${comment}\n${table}`, eol);
      return checked(eol === '\n' ? put : put.replaceAll(/\r?\n/g, eol), before, path, wanted);
    },
    remove(text, original) {
      const before = parseToml(text);
      if (at(before, path) === undefined) return text;
      return checked(rejoined(take(text, key, comment), original), before, path, undefined);
    },
    isIn: (text) => at(parseToml(text), path) !== undefined,
    isEmpty: (text) => text.trim() === '',
  };
}

/** Inner tables in one line, so that ours is one table with one header. */
function assignments(values: TomlTable): string {
  return Object.entries(values)
    .map(([key, value]) => {
      const inline = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
      return inline
        ? `${key} = { ${assignments(value).trim().split('\n').join(', ')} }\n`
        : stringify({ [key]: value });
    })
    .join('');
}

export function parseToml(text: string): TomlTable {
  try {
    return parse(text.replace('\uFEFF', ''));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigProblem(
      `is not valid TOML: ${(error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')}`,
      error.line,
    );
  }
}

const at = (table: unknown, path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], table);

/** The text, if it says what it is meant to; a table that is written in a way we cannot edit is left to its owner. */
function checked(text: string, before: TomlTable, path: string[], wanted: unknown): string {
  if (!says(text, before, path, wanted))
    throw new ConfigProblem(
      `writes ${path[0] ?? ''} in a form that cannot be edited safely; use tables like [${path.join('.')}]`,
    );
  return text;
}

function says(text: string, before: TomlTable, path: string[], wanted: unknown): boolean {
  try {
    const after = parseToml(text);
    return (
      isDeepStrictEqual(at(after, path), wanted) &&
      isDeepStrictEqual(without(after, path), without(before, path))
    );
  } catch {
    return false;
  }
}

/** A copy that lacks what is at a path, and the parent that was there only for it. */
function without(table: TomlTable, [key = '', ...rest]: string[]): TomlTable {
  const { [key]: child, ...others } = table;
  if (rest.length === 0 || typeof child !== 'object') return others;
  const inner = without(child as TomlTable, rest); // a path of ours leads through tables only
  return Object.keys(inner).length === 0 ? others : { ...others, [key]: inner };
}

function append(text: string, table: string, eol: string): string {
  if (text.replace('\uFEFF', '').trim() === '') return text + table;
  const gap = /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + table;
}

/** Our values in place of those that were there; what its owner added to the table stays. */
function replace(text: string, { start, end }: Section, table: string, values: TomlTable): string {
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

/** The text without a table, its sub-tables and our comment above it. */
function take(text: string, key: string, comment: string): string {
  const ours = sections(text).filter((section) => section.key === key || section.key.startsWith(`${key}.`));
  return ours.reduceRight((rest, { start, end }) => {
    const above = rest.slice(0, start).replace(/\r?\n$/, '');
    const head = above.endsWith(comment) ? above.slice(0, -comment.length) : rest.slice(0, start);
    const tail = rest.slice(end);
    return head + (/\n\r?\n$/.test(head) ? tail.replace(/^\r?\n/, '') : tail); // one blank line is enough where ours was
  }, text);
}

/** With the end the text had before us: a blank line was put before our table. */
function rejoined(text: string, original: string | null): string {
  const ending = original === null ? '\n' : (/\s*$/.exec(original)?.[0] ?? '');
  return text.trim() === '' ? (original?.trim() === '' ? original : '') : text.trimEnd() + ending;
}

/** The text cut at its headers. What follows a header belongs to it, but for comments and blank lines before the next. */
function sections(text: string): Section[] {
  const found: Section[] = [];
  for (const { line, start } of statements(text)) {
    const key = headerKey(line);
    if (key !== null) found.push({ key, start, end: start });
    const section = found.at(-1);
    if (section) section.end = start + line.length;
  }
  return found;
}

/** Headers and assignments with their line ends, each whole even where a value spans lines; comments and blank lines are none. */
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

/** The end of the line on which a statement ends: brackets and strings may carry it over many. */
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
