import * as z from 'zod';
import { SlotProposal } from './slots.ts';
import { ImportBatch } from './archive.ts';
import { Candidate } from './candidates.ts';
import { Learning, LearningRow, MergeQuestion } from './entities.ts';
import { Gap } from './recall.ts';
import { PublishOffer } from './team.ts';
import { Skill } from './skills.ts';
import { count, epochMs, project, reason } from './fields.ts';

const evidence = z.array(z.string().min(1).max(300)).max(1_000);
const content = z.string().trim().min(1).max(1_000);
const category = z.string().trim().min(1).max(200);
/** Spelt so that each of its words can be looked for in a question: `testing_style`. */
const field = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+){0,5}$/, 'a field name has lower-case letters, digits and _')
  .max(60);

/** A preference inferred from many corrections (O1). */
export const Observation = z.strictObject({
  id: z.string(),
  /** '' for what is true everywhere. */
  project: z.string(),
  content: z.string(),
  category: z.string(),
  /** A persona fact it states, if any: the field `testing_style` is `TDD` (O3). */
  field: z.string(),
  value: z.string(),
  status: z.enum(['active', 'retired']),
  retiredReason: z.string(),
  proofCount: count,
  /** The occasions it was said on. */
  sources: z.array(z.string()),
  /** The learnings it is drawn from. */
  learnings: z.array(z.string()),
  createdAt: epochMs,
  updatedAt: epochMs,
});
export type Observation = z.infer<typeof Observation>;

/** The evidence counts: a new observation as often as it has ids, a known one only by those that are new to it. */
export const ObservationAction = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('CREATE'),
    content,
    project: project.default(''),
    category: category.default('general'),
    field: field.optional(),
    value: z.string().trim().min(1).max(200).optional(),
    ids: evidence.default([]),
    learnings: evidence.default([]),
    reason,
  }),
  z.strictObject({
    action: z.literal('UPDATE'),
    targetId: z.string().min(1).max(200),
    content: content.optional(),
    category: category.optional(),
    ids: evidence.default([]),
    learnings: evidence.default([]),
    reason,
  }),
  z.strictObject({ action: z.literal('DELETE'), targetId: z.string().min(1).max(200), reason }),
  z.strictObject({ action: z.literal('RESTORE'), targetId: z.string().min(1).max(200), reason }),
]);
export type ObservationAction = z.infer<typeof ObservationAction>;

export const ObservationsRevised = z.strictObject({
  created: count,
  updated: count,
  deleted: count,
  restored: count,
  skipped: count,
  createdIds: z.array(z.string()),
  /** Failed actions, by their index; the others were applied. */
  errors: z.array(z.strictObject({ index: count, message: z.string() })),
});
export type ObservationsRevised = z.infer<typeof ObservationsRevised>;

/** One change of an observation, with what stood there before. */
export const ObservationChange = z.strictObject({
  id: count,
  at: epochMs,
  actor: z.string(),
  action: z.enum(['CREATE', 'UPDATE', 'DELETE', 'RESTORE']),
  observationId: z.string(),
  reason: z.string(),
  before: Observation.nullable(),
});
export type ObservationChange = z.infer<typeof ObservationChange>;

/** The conventions of a project as a document (O2). */
export const Conventions = z.strictObject({
  project: z.string(),
  path: z.string(),
  text: z.string(),
  observations: count,
  refreshedAt: epochMs,
  /** Its sources have changed since it was written. */
  stale: z.boolean(),
  /** The link to it in the repository; '' when there is none. */
  link: z.string(),
});
export type Conventions = z.infer<typeof Conventions>;

/** A fact about how a project does things, which answers queries directly once it is proven well enough (O3). */
export const PersonaFact = z.strictObject({
  project: z.string(),
  field: z.string(),
  value: z.string(),
  confidence: z.number(),
  sources: z.array(z.string()),
});
export type PersonaFact = z.infer<typeof PersonaFact>;

/** One pass over all learnings in search of what several of them say (C2). */
export const Consolidation = z.strictObject({
  at: epochMs,
  why: z.enum(['threshold', 'weekly', 'asked']),
  /** How many were new. */
  learnings: count,
  clusters: count,
  proposed: count,
  extended: count,
});
export type Consolidation = z.infer<typeof Consolidation>;

export const Distilled = z.strictObject({
  consolidation: Consolidation.nullable(),
  observations: z.strictObject({ created: count, updated: count, deleted: count, restored: count }),
  conventions: count,
  skills: count,
});
export type Distilled = z.infer<typeof Distilled>;

export const DistillStatus = z.strictObject({
  last: Consolidation.nullable(),
  /** Learnings since then, and how many start the next pass at once. */
  since: count,
  threshold: count,
  /** When it runs at the latest; null while nothing is new. */
  dueAt: epochMs.nullable(),
  running: z.boolean(),
});
export type DistillStatus = z.infer<typeof DistillStatus>;

/** A rule that several learnings have in common, waiting for a person. */
export const PrincipleProposal = z.strictObject({
  principle: Learning,
  sources: z.array(Learning.pick({ id: true, title: true, status: true })),
});
export type PrincipleProposal = z.infer<typeof PrincipleProposal>;

/** A skill that should be looked at, and why. */
export const StaleSkill = z.strictObject({
  skill: Skill,
  /**
   * `marked`: a learning it covers was changed or retracted, so it is not offered (R13); `outdated`: something new was
   * learned about it since (R14).
   */
  why: z.enum(['marked', 'outdated']),
  learnings: z.array(Learning.pick({ id: true, title: true, updatedAt: true })),
  /** Reflect wrote it and may regenerate it. */
  ours: z.boolean(),
});
export type StaleSkill = z.infer<typeof StaleSkill>;

/** An agent that supports skills, and whether it is installed. */
export const SkilledAgent = z.strictObject({ agent: z.string(), present: z.boolean() });

const rows = z.array(LearningRow);

/** Everything that waits for a person. */
export const Inbox = z.strictObject({
  questions: z.array(MergeQuestion),
  notes: z.strictObject({
    suspicious: rows,
    imported: rows,
    proposed: rows,
    speculative: rows,
    unvalidated: rows,
    broken: rows,
  }),
  /** Imports whose notes wait, each to be decided as a whole or note by note. */
  batches: z.array(ImportBatch).default([]),
  /** Edits of slots that agents may not make by themselves. */
  slots: z.array(SlotProposal),
  /** Files among the notes that are none. */
  strays: z.array(z.strictObject({ path: z.string(), problem: z.string() })),
  skills: z.array(StaleSkill),
  /** Documents that are overdue for regeneration. */
  conventions: z.array(Conventions),
  gaps: z.array(Gap),
  /** Notes to be published to colleagues, or kept here. */
  publish: z.array(PublishOffer),
  /** The best candidates and how many there are. They wait without asking for attention. */
  candidates: z.strictObject({ best: z.array(Candidate), total: count }),
});
export type Inbox = z.infer<typeof Inbox>;

/** A learning as the skill it would become. */
export const SkillPreview = z.strictObject({
  name: z.string(),
  path: z.string(),
  markdown: z.string(),
  /** `ours`: written by Reflect and untouched since; `taken`: somebody else's, never overwritten. */
  place: z.enum(['free', 'ours', 'taken']),
});
export type SkillPreview = z.infer<typeof SkillPreview>;
