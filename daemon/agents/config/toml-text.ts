import { isDeepStrictEqual } from 'node:util';
import { stringify, type TomlTable, TomlError } from 'smol-toml';
import {
  appendTable,
  parseToml as parsed,
  removeTable,
  replaceTable,
  sections,
} from '../../platform/toml.ts';
import type { Edit } from './edit.ts';
import { ConfigProblem } from '../problems.ts';

/** Edits one table of a TOML text, with a comment above it; everything else stays byte for byte. */
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
      const put = section
        ? replaceTable(text, section, table, values)
        : appendTable(text, `${comment}\n${table}`, eol);
      return checked(eol === '\n' ? put : put.replaceAll(/\r?\n/g, eol), before, path, wanted);
    },
    remove(text, original) {
      const before = parseToml(text);
      if (at(before, path) === undefined) return text;
      return checked(rejoined(removeTable(text, key, comment), original), before, path, undefined);
    },
    isIn: (text) => at(parseToml(text), path) !== undefined,
    isEmpty: (text) => text.trim() === '',
  };
}

/** Writes inner tables inline, so that ours is one table with one header. */
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
    return parsed(text.replace('\uFEFF', ''));
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

/** Returns the text if it parses to what was intended; a table in a form we cannot edit is left to its owner. */
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

/** Restores the end of the original text, because a blank line was added before our table. */
function rejoined(text: string, original: string | null): string {
  const ending = original === null ? '\n' : (/\s*$/.exec(original)?.[0] ?? '');
  return text.trim() === '' ? (original?.trim() === '' ? original : '') : text.trimEnd() + ending;
}
