import { NOTE_TEXTS } from '#contract/entities.ts';

/** All that a note says in sentences. */
export function proseOf(note: { readonly [field in (typeof NOTE_TEXTS)[number]]?: unknown }): string {
  return NOTE_TEXTS.map((field) => note[field])
    .filter((value) => typeof value === 'string')
    .join('\n');
}
