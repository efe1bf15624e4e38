import * as z from 'zod';

const name = z.string().min(1).max(100);
const words = z.array(z.string().min(1)).default([]);

/** A kind of work: the types and categories a writer may use, and how it is instructed to write (M4). */
export const Mode = z.strictObject({
  name,
  description: z.string().default(''),
  learningTypes: z
    .array(
      z.strictObject({
        id: name,
        label: name,
        description: z.string().default(''),
        /** One column wide, so that rows line up in a terminal. */
        glyph: z.string().max(4).default(''),
      }),
    )
    .min(1),
  /** The first whose words occur in a note is its category; one without words takes what is left. */
  categories: z.array(z.strictObject({ name, words })).min(1),
  /** Ideas that tags should be drawn from. */
  concepts: words,
  /** Phrases that announce a learning in this kind of work: they shift a note's odds and go into a model's prompt. */
  signals: z.strictObject({ high: words, medium: words, low: words }).prefault({}),
  prompts: z
    .strictObject({
      role: z.string().default(''),
      keep: z.string().default(''),
      skip: z.string().default(''),
    })
    .prefault({}),
});
export type Mode = z.infer<typeof Mode>;

/** The category of this mode that a text speaks of most plainly. */
export function categoryIn({ categories }: Mode, text: string): string {
  const fits = ({ words: cues }: Mode['categories'][number]) =>
    cues.length === 0 || new RegExp(`\\b(?:${cues.map(escape).join('|')})`, 'i').test(text);
  return (categories.find(fits) ?? categories.at(-1))?.name ?? 'general';
}

/** The type a signal gave, where this mode has it. */
export function typeIn({ learningTypes }: Mode, type: string): string {
  return learningTypes.some(({ id }) => id === type) ? type : (learningTypes[0]?.id ?? type);
}

/** The sign of each type that has one (M8). */
export const glyphsOf = ({ learningTypes }: Mode): Record<string, string> =>
  Object.fromEntries(learningTypes.filter(({ glyph }) => glyph).map(({ id, glyph }) => [id, glyph]));

/** How much a phrase of each strength shifts the odds of a note, as natural logarithm. */
const SHIFT = { high: 1, medium: 0.4, low: -0.6 } as const;

/** The phrase of this mode in the words of a moment: the shift of the odds by the strongest one, and its words. */
export function announcedIn({ signals }: Mode, said: string): { shift: number; phrase: string } | null {
  const text = said.replaceAll('’', "'");
  for (const strength of ['high', 'medium', 'low'] as const) {
    const phrase = signals[strength].find((each) =>
      new RegExp(`(?<![\\p{L}\\p{N}])${escape(each)}(?![\\p{L}\\p{N}])`, 'iu').test(text),
    );
    if (phrase) return { shift: SHIFT[strength], phrase };
  }
  return null;
}

const escape = (cue: string) => cue.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
