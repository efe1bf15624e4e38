import * as z from 'zod';

/** Hits that carry the one field that was asked for. */
const Projected = z.looseObject({
  hits: z.array(
    z.looseObject({
      learning: z.looseObject({ id: z.string(), title: z.string() }),
      value: z.union([z.string(), z.number()]).nullable(),
    }),
  ),
});

/** Whoever asked for one field of each note is not sent the notes as well: reading those is what they wanted to save (S1). */
export function spareNotes(result: unknown): unknown {
  const projected = Projected.safeParse(result);
  if (!projected.success) return result;
  return {
    ...projected.data,
    hits: projected.data.hits.map(({ learning: { id, title }, ...hit }) => ({ id, title, ...hit })),
  };
}
