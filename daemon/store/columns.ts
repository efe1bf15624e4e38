import * as z from 'zod';
import { Observation } from '#contract/distill.ts';
import { Note } from '#contract/entities.ts';
import { Slot } from '#contract/slots.ts';
import { Attempt } from '#contract/loops.ts';
import { Corpus } from '#contract/modes.ts';
import { PersistedJson } from './persisted-json.ts';

// Every JSON object the store keeps, by what it holds. A new field is a new version here, with a default in the schema
// or an upcast; columns.test.ts reads rows of every version there has been.

/** `learning.note`, `change.before`, `change.after`. */
export const NOTE = new PersistedJson(Note);

/** `slot_change.before`, `slot_change.after`. */
export const SLOT = new PersistedJson(Slot);

/** `observation_history.before`. */
export const OBSERVATION = new PersistedJson(Observation);

/** `loop_iteration.record`. */
export const ATTEMPT = new PersistedJson(Attempt);

/** `corpus.filter`. */
export const CORPUS_FILTER = new PersistedJson(Corpus.shape.filter);

// Lenient: these rows come from other programs' transcripts, and one of them must not make a list unreadable.
const Turn = z.object({
  role: z.enum(['human', 'agent', 'tool']).catch('agent'),
  text: z.string().default(''),
  at: z.number().default(0),
  trigger: z.boolean().default(false),
});
const MomentPayload = z.object({
  quote: z.string().default(''),
  /** Since version 2; only corrections were noticed before. */
  type: z.string().default('correction'),
  /** Since version 2. */
  speculative: z.boolean().default(false),
  /** Ids of the cues behind `why`; moments stored before cues had ids have none. */
  cues: z.array(z.string()).optional(),
  why: z.array(z.string()).default([]),
  score: z.number().default(0),
  span: z.object({ start: z.number(), end: z.number() }).default({ start: 0, end: 0 }),
  turns: z.array(Turn).default([]),
});
export type MomentPayload = z.infer<typeof MomentPayload>;

/** `capture_window.payload`: the words a moment was noticed in, and why. */
export const MOMENT_PAYLOAD = new PersistedJson(MomentPayload, 2);

/** `effect.detail`, by `effect.kind`: the fields that are read; rows hold all that capture reported. */
export const EFFECT = {
  revert: new PersistedJson(z.looseObject({ sha: z.string() })),
  'tests-fixed': new PersistedJson(z.looseObject({ runner: z.string() })),
  trouble: new PersistedJson(
    z.looseObject({ kind: z.enum(['loop', 'test-regression']), detail: z.string() }),
  ),
  routine: new PersistedJson(
    z.looseObject({ field: z.string(), does: z.string(), command: z.string(), project: z.string() }),
  ),
  /** A lesson a person withdrew. */
  forget: new PersistedJson(z.looseObject({ about: z.string(), quote: z.string(), project: z.string() })),
};

/** `meta` of a skill a person confirmed: its state before, so that confirming can be undone. */
export const CONFIRMED_SKILL = new PersistedJson(
  z.object({
    stale: z.number(),
    refreshedAt: z.number(),
    tasks: z.array(
      z.object({ path: z.string(), at: z.number(), learningId: z.string(), reason: z.string() }),
    ),
  }),
);

/** `meta` of the imports whose notes wait for a person. */
export const IMPORT_BATCHES = new PersistedJson(
  z.object({ batches: z.array(z.object({ from: z.string(), at: z.number(), same: z.number() })) }),
);

/** `meta` of a merge that is under way. */
export const PENDING_MERGE = new PersistedJson(
  z.object({
    /** The name of its folder among the staged imports. */
    stage: z.string(),
    /** The name of the archive, which its notes keep. */
    from: z.string(),
    trust: z.enum(['mine', 'known', 'foreign']),
    /** How far its change numbers are moved, and the last of them. */
    offset: z.number().int(),
    last: z.number().int(),
    /** The first change it made, with which all others are undone; null before that. */
    unit: z.number().int().nullable(),
  }),
);

/** `meta` of an import that is under way. */
export const PENDING_IMPORT = new PersistedJson(
  z.object({
    /** The name of its folder among the staged imports. */
    stage: z.string(),
    /** Old files move out, then new ones move in; either phase can restart after a crash. */
    phase: z.enum(['out', 'in']),
  }),
);
