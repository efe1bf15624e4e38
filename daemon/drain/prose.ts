import type { Note } from '#contract/entities.ts';

const FIELDS = [
  'title',
  'problem',
  'rootCause',
  'fix',
  'rule',
  'keyInsight',
  'body',
  'task',
  'summary',
  'keyMistake',
  'correctAction',
  'guidance',
] as const satisfies Array<keyof Note>;

/** All that a note says in sentences. */
export function proseOf(note: { readonly [field in (typeof FIELDS)[number]]?: unknown }): string {
  return FIELDS.map((field) => note[field])
    .filter((value) => typeof value === 'string')
    .join('\n');
}
