import * as z from 'zod';
import { Entity, Learning } from './entities.ts';
import { count } from './fields.ts';

/** How an agent is meant to recall; given to it at the start by MCP, and by the daemon to whoever asks. */
export const RECALL_WORKFLOW = `Recall in three steps. ALWAYS FOLLOW this order, for whole notes cost many times what their titles do:
Step 1: recall.index with your question. It gives many short rows: id, title, score. Read the titles only.
Step 2: recall.timeline around the most promising row, when it matters what came before or after it.
Step 3: recall.hydrate with only the ids you need. It gives those notes whole.
Never hydrate everything that the index gave. When no title fits, ask again in other words instead.`;

/** A time as a person writes it: resolved by the daemon, which can read "last week" and knows what day it is. */
export const Time = z.union([z.number().int().min(0), z.string().trim().min(1).max(100)]);

/** A learning as one chooses by it: cut so that the whole row stays within a budget of tokens (M1). */
export const IndexRow = z.strictObject({
  id: z.string(),
  title: z.string(),
  score: z.number(),
  project: z.string(),
  date: z.string(),
  /** The field asked for, if one was. */
  value: z.union([z.string(), z.number()]).nullable().optional(),
});
export type IndexRow = z.infer<typeof IndexRow>;

export const TimelineRow = IndexRow.pick({ id: true, title: true, project: true, date: true }).extend({
  anchor: z.boolean(),
});
export type TimelineRow = z.infer<typeof TimelineRow>;

/** A learning asked for by its id; with `field` that field alone instead of the note. */
export const Hydrated = z.discriminatedUnion('found', [
  z.strictObject({ id: z.string(), found: z.literal(false) }),
  z.strictObject({
    id: z.string(),
    found: z.literal(true),
    title: z.string(),
    project: z.string(),
    date: z.string(),
    note: Learning.optional(),
    entities: z.array(Entity).optional(),
    value: z.union([z.string(), z.number()]).nullable().optional(),
  }),
]);
export type Hydrated = z.infer<typeof Hydrated>;

/** What the recalled notes cost to find out and cost to read, estimated in tokens (M8). */
export const Economics = z.strictObject({
  learnings: count,
  discoveryTokens: count,
  readTokens: count,
  savedTokens: z.number().int(),
  header: z.string(),
  footer: z.string(),
  /** One for each hit, in their order. */
  rows: z.array(
    z.strictObject({
      id: z.string(),
      glyph: z.string(),
      discoveryTokens: count,
      readTokens: count,
      /** Negative when reading costs more than finding out did. */
      savingsPercent: z.number().int(),
      text: z.string(),
    }),
  ),
});
export type Economics = z.infer<typeof Economics>;

const tag = z.string().min(1).max(400);

/** Which learnings belong to a corpus: any of the tags, and all of the rest. */
export const CorpusFilter = z.strictObject({
  tags: z.array(tag).max(50).optional().describe('Learnings with any of these tags'),
  category: z.string().max(400).optional(),
  project: z.string().max(500).optional().describe('A project id'),
  since: Time.optional().describe(
    'What was learned from then on: a date, a phrase such as "last month", or epoch milliseconds',
  ),
  until: Time.optional().describe('What was learned up to then'),
});

/** A part of the knowledge base that questions can be pinned to (M7). */
export const Corpus = z.strictObject({
  name: z.string(),
  filter: CorpusFilter.extend({ since: count.optional(), until: count.optional() }),
  builtAt: count,
  learnings: count,
  /** The knowledge base has changed since it was built. */
  stale: z.boolean(),
  /** The snapshot on disk. */
  file: z.string(),
});
export type Corpus = z.infer<typeof Corpus>;
