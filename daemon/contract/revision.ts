import * as z from 'zod';
import { Learning, Note, NotePatch } from './entities.ts';
import { epochMs, project, unit } from './fields.ts';

const id = Learning.shape.id;
const common = {
  reason: z.string().trim().min(1).max(500).describe('The reason, for the history'),
  source: z
    .string()
    .max(500)
    .default('')
    .describe('Where the evidence comes from; the same source proves a learning once'),
};
/** Absent means as it is: the defaults of a note would overwrite what is known. */
const overrides = {
  category: Note.shape.category.unwrap().optional(),
  confidence: unit.optional(),
  forgetAfter: epochMs.nullable().optional().describe('Epoch milliseconds after which it is forgotten'),
};
const content = z.string().trim().min(1).max(100_000);

/** One step of revising what is believed (S5). */
export const RevisionAction = z.discriminatedUnion('action', [
  z
    .strictObject({
      action: z.literal('CREATE'),
      content: content.optional().describe('What was learned, in plain words; its first line is the title'),
      note: Note.partial()
        .extend({ title: Note.shape.title })
        .optional()
        .describe('The same in fields, instead of content'),
      ...overrides,
      project: project.optional().describe("A project id; '' for every project"),
      dedupAdjudicated: z
        .boolean()
        .default(false)
        .describe('A person decided that it is not a duplicate: keep both'),
      ...common,
    })
    .refine(
      ({ content: words, note }) => (words === undefined) !== (note === undefined),
      'a CREATE has either content or a note',
    ),
  z.strictObject({
    action: z.literal('UPDATE'),
    targetId: id,
    content: content.optional().describe('The new rule; absent if there is only more evidence'),
    note: NotePatch.optional().describe('Fields to change'),
    ...overrides,
    ...common,
  }),
  z.strictObject({ action: z.literal('DELETE'), targetId: id, ...common }),
]);
export type RevisionAction = z.output<typeof RevisionAction>;

const count = z.number().int();

/** The result of the actions; each applied action can be undone. */
export const Revision = z.strictObject({
  executed: count,
  created: count,
  updated: count,
  deleted: count,
  skipped: count,
  createdIds: z.array(id),
  needsAdjudication: count,
  adjudications: z.array(
    z.strictObject({
      newId: id,
      newText: z.string(),
      existingId: id,
      existingTitle: z.string(),
      similarity: z.number(),
      threshold: z.number(),
      /** For `merges.resolve`. */
      questionId: count,
      question: z.string(),
    }),
  ),
  errors: z.array(z.strictObject({ index: count, message: z.string() })),
});
export type Revision = z.infer<typeof Revision>;
