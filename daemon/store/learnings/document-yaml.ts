import { parse, stringify } from 'yaml';
import type * as z from 'zod';
import { DaemonError } from '#contract/errors.ts';

/** Thrown for a file a person broke; the message is shown in the UI beside the last good version. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

const ODD = /\\|[^\p{L}\p{N}\p{P}\p{S} ]/u;

/** Readable YAML where that is lossless; text that YAML would fold or cannot hold, such as some blanks, is quoted. */
export function yaml(value: object): string {
  const options = { lineWidth: 0, aliasDuplicateObjects: false } as const;
  const readable = stringify(value, options);
  // Parsing it again is slow; plain words on one line need no check.
  const keeps = !ODD.test(JSON.stringify(value)) || reads(readable, value);
  return keeps
    ? readable
    : stringify(value, {
        ...options,
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
        doubleQuotedAsJSON: true,
      });
}

function reads(source: string, value: object): boolean {
  try {
    return same(parse(source, { logLevel: 'error' }), value);
  } catch {
    return false; // the YAML library cannot always parse its own output
  }
}

export function readYaml(source: string, where: string): unknown {
  try {
    return parse(source, { logLevel: 'error' }) ?? {};
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n'); // an excerpt follows
    throw new DocumentProblem(`the ${where} is not valid YAML: ${reason.replace(/:$/, '')}`);
  }
}

/** `nameOf` returns the name a field has in the file; `hint` ends the sentence. */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  where: string,
  nameOf = (field: string) => field,
  hint = '',
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [field, ...inside] = issue?.path ?? [];
  const name = field === undefined ? 'it' : [nameOf(String(field)), ...inside].join('.');
  throw new DocumentProblem(`the ${where} is not valid: ${name}: ${issue?.message}${hint}`);
}

export function time(written: string, field: string): number {
  const at = /^[+-]?\d{4,6}-\d\d-\d\d/.test(written) ? Date.parse(written) : NaN;
  if (Number.isNaN(at) || at < 0) throw new DocumentProblem(`${field} is not a date: ${written}`);
  return at;
}

const LAST_INSTANT = 8.64e15; // ms; the latest date JavaScript has

export function iso(at: number): string {
  if (at > LAST_INSTANT) throw new DaemonError('bad-input', `${at} is later than any date`);
  return new Date(at).toISOString();
}

export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
