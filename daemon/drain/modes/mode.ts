import * as z from 'zod';

const name = z.string().min(1).max(100);
const words = z.array(z.string().min(1)).default([]);

/** A kind of work: the types and categories a writer may use, and how it is instructed to write (M4). */
export const Mode = z.strictObject({
  name,
  description: z.string().default(''),
  learningTypes: z
    .array(z.strictObject({ id: name, label: name, description: z.string().default('') }))
    .min(1),
  /** The first whose words occur in a note is its category; one without words takes what is left. */
  categories: z.array(z.strictObject({ name, words })).min(1),
  /** Ideas that tags should be drawn from. */
  concepts: words,
  /** Phrases that announce a learning in this kind of work. */
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

const escape = (cue: string) => cue.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
