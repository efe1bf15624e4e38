import * as z from 'zod';

/** Hits with the one field that was requested. */
const Projected = z.looseObject({
  hits: z.array(
    z.looseObject({
      learning: z.looseObject({ id: z.string(), title: z.string() }),
      value: z.union([z.string(), z.number()]).nullable(),
    }),
  ),
});

/** A request for one field of each note returns only that field: the whole notes are what it saves (S1). */
export function spareNotes(result: unknown): unknown {
  const projected = Projected.safeParse(result);
  if (!projected.success) return result;
  return {
    ...projected.data,
    hits: projected.data.hits.map(({ learning: { id, title }, ...hit }) => ({ id, title, ...hit })),
  };
}
