import * as z from 'zod';
import { Moment } from '#contract/capture.ts';
import {
  Change,
  ENTITY_TYPES,
  Learning,
  MergeQuestion,
  Relation,
  RELATION_TYPES,
  Signals,
} from '#contract/entities.ts';
import { Slot, SlotChange } from '#contract/slots.ts';
import { pathProblem } from '../../platform/safe-path.ts';
import { NOTE, SLOT, OBSERVATION, CORPUS_FILTER } from '../columns.ts';

/** How a table of the knowledge base goes into an archive and comes out of it. */
export interface ArchivedTable {
  /** SQL for columns that are not copied as they are, because their values concern this machine only. */
  blank?: Record<string, string>;
  /** Where its rows are read from, if not from the table itself. */
  from?: string;
  where?: string;
  /** Its key, unless the order in which rows were added means something. */
  order: string;
  /** Checks a row beyond the types and constraints of the table itself. */
  row?: z.ZodType;
  /** False where rows of this machine stay beside those of the archive; rows are then inserted one by one. */
  whole?: false;
  /**
   * The rows a merge copies: those whose key is free here, those unlike any row here, or those of the learnings it adds
   * (matched by this column). Absent: none, because rows here stay, or are written with their learning.
   */
  merge?: 'missing' | 'unlike' | { ofAdded: string };
  /** A column a person decides on: rows that differ in it alone are the same row, and the decision made here stands. */
  decided?: string;
}

const LONGEST_TEXT = 32 * 1024 * 1024;
const epoch = z.number().int().min(0).max(8.64e15);
const bit = z.literal([0, 1]);
const safePath = z.string().refine((path) => pathProblem(path) === null, 'leads out of its folder');

/** A JSON column whose value matches this schema. */
function json(schema: z.ZodType): z.ZodType<string> {
  return z
    .string()
    .max(LONGEST_TEXT)
    .superRefine((text, context) => {
      try {
        const [issue] = schema.safeParse(JSON.parse(text)).error?.issues ?? [];
        if (issue) context.addIssue({ code: 'custom', message: `${issue.path.join('.')}: ${issue.message}` });
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
      }
    });
}

const Turn = z.looseObject({
  role: z.string(),
  text: z.string(),
  at: z.number().nullable(),
  trigger: z.boolean(),
});
const Span = z.looseObject({ start: z.number(), end: z.number() });
const Payload = z.looseObject({
  quote: z.string(),
  why: z.array(z.string()),
  span: Span,
  turns: z.array(Turn),
});
const texts = json(z.array(z.string()));
const signal = Signals.shape;
const anyJson = json(z.unknown());

const LINKED = 'id IN (SELECT chunk FROM chunk_learning)';

/**
 * All knowledge: notes with their signals, graph, history and sources; slots, facts, corpora; gaps and open questions;
 * outcomes. Rows keep their numbers, so that references and the order of equals stay. Moments are matched by key
 * instead.
 */
export const ARCHIVED: Readonly<Record<string, ArchivedTable>> = {
  capture_window: {
    // Only moments that became learnings; they are settled, whatever still waits on this machine.
    blank: { id: 'row_number() OVER (ORDER BY key)', attempts: '0', lease_until: '0', error: `''` },
    where: LINKED,
    order: 'key',
    whole: false,
    row: z.looseObject({
      state: Moment.shape.state.exclude(['queued', 'leased']),
      at: epoch,
      payload: json(Payload),
    }),
  },
  change: {
    order: 'id',
    merge: { ofAdded: 'learning_id' },
    row: z.looseObject({
      at: epoch,
      kind: Change.shape.kind,
      fields: texts,
      before: json(NOTE.anyVersion).nullable(),
      after: json(NOTE.anyVersion).nullable(),
    }),
  },
  chunk_learning: {
    from: `(
      SELECT number AS chunk, learning_id FROM chunk_learning
      JOIN (SELECT id, row_number() OVER (ORDER BY key) AS number FROM capture_window WHERE ${LINKED}) ON id = chunk
    )`,
    order: 'chunk, learning_id',
    whole: false,
  },
  commit_link: {
    order: 'sha',
    merge: 'missing',
    row: z.looseObject({ sha: z.string().regex(/^[0-9a-f]{7,64}$/), conflict_resolved: bit, at: epoch }),
  },
  corpus: {
    order: 'name',
    merge: 'missing',
    row: z.looseObject({
      name: z.string().min(1).max(64),
      built_at: epoch,
      version: z.number().int(),
      filter: json(CORPUS_FILTER.anyVersion),
      members: texts,
    }),
  },
  entity: { order: 'id', row: z.looseObject({ name: z.string().min(1), type: z.enum(ENTITY_TYPES) }) },
  gap: { order: 'id', merge: 'unlike', decided: 'closed', row: z.looseObject({ at: epoch, closed: bit }) },
  history_entry: { order: 'id', merge: 'unlike', row: z.looseObject({ at: epoch }) },
  learning: {
    blank: { document_stat: 'NULL', document_path: `replace(document_path, '\\', '/')` },
    order: 'seq',
    row: z
      .looseObject({
        id: Learning.shape.id,
        created_at: epoch,
        updated_at: epoch,
        note: json(NOTE.anyVersion),
        document_path: safePath,
        document_hash: z.string().regex(/^[0-9a-f]{24}\.(?:[0-9a-f]{24})?$/),
        document_stat: z.null(),
      })
      .refine(
        ({ id, document_path }) => document_path.endsWith(`/${id}.md`),
        'document_path: is not the one of this learning',
      ),
  },
  learning_entity: { order: 'entity, seq' },
  learning_signal: {
    order: 'seq',
    row: z.looseObject({
      q_value: signal.qValue,
      quality: signal.quality,
      uses: signal.uses,
      successes: signal.successes,
      proof_count: signal.proofCount,
      recall_count: signal.recallCount,
      helpful_count: signal.helpfulCount,
      ignored_count: signal.ignoredCount,
      stale_count: signal.staleCount,
      last_recalled_at: epoch.nullable(),
      importance: signal.importance,
    }),
  },
  learning_tag: { order: 'tag, seq', row: z.looseObject({ tag: z.string().max(400) }) },
  loop: {
    order: 'id',
    merge: 'missing',
    row: z.looseObject({ started_at: epoch, finished_at: epoch.nullable(), told: anyJson }),
  },
  loop_iteration: {
    order: 'loop_id, iteration',
    merge: 'missing',
    row: z.looseObject({ at: epoch, record: anyJson, flags: anyJson }),
  },
  merge_question: {
    order: 'id',
    merge: { ofAdded: 'incoming_id' },
    row: z.looseObject({
      at: epoch,
      similarity: MergeQuestion.shape.similarity,
      state: MergeQuestion.shape.state,
    }),
  },
  observation: {
    order: 'id',
    merge: 'missing',
    row: z.looseObject({
      proof_count: z.number().int().min(0),
      sources: texts,
      learnings: texts,
      created_at: epoch,
      updated_at: epoch,
    }),
  },
  observation_history: {
    order: 'id',
    row: z.looseObject({ at: epoch, before: json(OBSERVATION.anyVersion).nullable() }),
  },
  persona: {
    order: 'project, field',
    merge: 'missing',
    row: z.looseObject({ confidence: z.number().min(0).max(1), sources: texts, updated_at: epoch }),
  },
  project: {
    blank: { root: `''`, last_seen: '0' },
    where:
      'id IN (SELECT project FROM shard UNION SELECT project FROM slot UNION SELECT project FROM persona)',
    order: 'id',
    whole: false,
    row: z.looseObject({ root: z.literal(''), last_seen: z.literal(0) }),
  },
  relation: {
    order: 'id',
    row: z.looseObject({
      type: z.enum(RELATION_TYPES),
      strength: Relation.shape.strength,
      committed_at: epoch,
      valid_from: epoch,
      valid_to: epoch.nullable(),
    }),
  },
  review: {
    order: 'id',
    merge: { ofAdded: 'learning_id' },
    row: z.looseObject({ at: epoch, q_before: signal.qValue, q_after: signal.qValue }),
  },
  shard: { order: 'id' },
  slot: {
    order: 'rowid',
    merge: 'missing', // slots are shown in the order in which they were made
    row: z.looseObject({
      name: z.string().min(1).max(64),
      content: z.string().max(100_000),
      size_limit: Slot.shape.sizeLimit,
      read_only: bit,
      updated_at: epoch,
      position: z.number().int().min(0),
    }),
  },
  slot_change: {
    order: 'id',
    row: z.looseObject({
      at: epoch,
      kind: SlotChange.shape.kind,
      before: json(SLOT.anyVersion).nullable(),
      after: json(SLOT.anyVersion).nullable(),
    }),
  },
  stray_document: {
    blank: { path: `replace(path, '\\', '/')` },
    order: '1',
    row: z.looseObject({ path: safePath }),
  },
  trace: {
    order: 'id',
    merge: 'missing',
    row: z.looseObject({
      at: epoch,
      trajectory: anyJson,
      retrieved: anyJson,
      metadata: anyJson,
      reviewed_at: epoch.nullable(),
    }),
  },
};
