import * as z from 'zod';
import { AGENT_METHODS } from './agent-methods.ts';
import { ARCHIVE_METHODS } from './archive-methods.ts';
import { Inbox } from './distill.ts';
import { DISTILL_METHODS } from './distill-methods.ts';
import {
  Change,
  Chunk,
  DaemonStatus,
  Gap,
  Hit,
  KnobState,
  Learning,
  LearningRow,
  MergeQuestion,
  ModelState,
  Note,
  NotePatch,
  PortState,
  Project,
  SessionSummary,
  SessionUse,
  Skill,
  Slot,
  SlotChange,
  Status,
  TraceStep,
  Trouble,
  Moment,
} from './entities.ts';
import { DaemonError, type ErrorCode } from './errors.ts';
import { branch, done, learningId as id, limit, none, path, project, reason, session } from './fields.ts';
import { GRAPH_METHODS } from './graph-methods.ts';
import { method } from './method.ts';
import { Corpus, CorpusFilter, Economics, Hydrated, IndexRow, Time, TimelineRow } from './modes.ts';
import { Revision, RevisionAction } from './revision.ts';
import { OUTCOME_METHODS } from './outcome-methods.ts';
import { HookPayload } from './hooks.ts';
import { asSent, tolerant } from './schema.ts';
import { WritersStatus } from './writers.ts';

const changed = z.strictObject({ learning: Learning, changeId: z.number().int() });

const slotName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'a slot is named with small letters, digits and _');
/** A project sees its own slots and the global ones; '' means the global ones. */
const slotKey = z.strictObject({ project, name: slotName });
const slotEdit = slotKey.extend({
  actor: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .default('person')
    .describe('Who edits: the name of an agent, or person'),
});
const slotText = z.string().max(100_000);
const slotLimit = z.number().int().min(1).max(20_000);

const fieldName = z
  .string()
  .min(1)
  .max(100)
  .describe('Give this field of each note alone, e.g. rule, fix or problem');
const corpusName = z.string().max(1_000); // the daemon says what is wrong with a name

/** Where a question is asked from, and how far it may look. */
export const RecallInput = z.strictObject({
  query: z.string().trim().min(1).max(4_000).describe('What to look for, in plain words'),
  cwd: path.optional().describe('The folder the question is asked from; its project and branch are used'),
  project: project.optional().describe('A project id, instead of the one of cwd'),
  branch: branch.optional().describe('A branch, instead of the one checked out in cwd'),
  global: z.boolean().optional().describe('Look in every project'),
  allBranches: z.boolean().optional().describe('Look in every branch of the project'),
  tags: z.array(z.string().max(100)).max(50).optional().describe('Prefer learnings with these tags'),
  since: Time.optional().describe(
    'Only what was learned from then on: a date, a phrase such as "last week", or epoch milliseconds',
  ),
  until: Time.optional().describe('Only what was learned up to then'),
  limit: limit.max(100).optional().describe('At most this many learnings'),
  session: session.optional().describe('The agent session that asks'),
  knobs: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Settings for this call only, by their own names'),
  quiet: z
    .boolean()
    .optional()
    .describe('Leave no mark: for searching as one types, where most questions are unfinished'),
  field: fieldName.optional(),
  corpus: corpusName
    .optional()
    .describe('Look only in this corpus, whichever project the question is asked from'),
});

const RecallOutput = z.strictObject({
  /** A fact that answers by itself; there are no hits then. */
  answer: z.strictObject({ field: z.string(), text: z.string() }).nullable(),
  hits: z.array(Hit),
  tokens: z.number().int(),
  ms: z.number(),
  /** What was not used and why, e.g. missing weights. */
  notices: z.array(z.string()),
  /** What the hits cost and save; absent when switched off and when there are none. */
  economics: Economics.optional(),
  trace: z.array(TraceStep).optional(),
});

/** All a client may ask. CLI commands, MCP tools and the renderer's client are derived from this table. */
export const METHODS = {
  status: method('What the daemon is doing and how it fares', none, DaemonStatus),
  'writers.status': method(
    'Who writes the notes, what that cost by day, and why a model is not asked now',
    none,
    WritersStatus,
  ),
  'store.sizes': method(
    'How much of the disk each part of the database takes, the largest first',
    none,
    z.array(
      z.strictObject({
        part: z.enum(['notes', 'words', 'vectors', 'graph', 'history', 'capture', 'other']),
        bytes: z.number().int(),
      }),
    ),
  ),
  'daemon.stop': method('Stop the daemon cleanly', none, done),
  'ui.code': method(
    'A one-time code that opens the UI in a browser',
    none,
    z.strictObject({ url: z.string() }),
  ),

  'recall.search': method('Find what was learned about a topic', RecallInput, RecallOutput),
  'recall.explain': method(
    'Find, and tell for every candidate why it came or went',
    RecallInput,
    RecallOutput,
  ),
  'recall.index': method(
    'Step 1: find candidates as short rows of id and title, many for the price of one note. Then hydrate only the ids you need',
    RecallInput,
    RecallOutput.pick({ answer: true, tokens: true, ms: true, notices: true }).extend({
      rows: z.array(IndexRow),
    }),
  ),
  'recall.timeline': method(
    'Step 2: see what was learned just before and after a row of the index, when it matters how things came about',
    RecallInput.pick({
      cwd: true,
      project: true,
      branch: true,
      global: true,
      allBranches: true,
      knobs: true,
    }).extend({
      anchor: z
        .string()
        .trim()
        .min(1)
        .max(4_000)
        .describe('The id of a learning, or a question whose best answer is the anchor'),
      before: z.number().int().min(0).max(50).default(3),
      after: z.number().int().min(0).max(50).default(3),
    }),
    z.strictObject({ rows: z.array(TimelineRow), tokens: z.number().int() }),
  ),
  'recall.hydrate': method(
    'Step 3: read the chosen learnings whole, by their ids; only those you need, for here is what costs',
    z.strictObject({
      ids: z.array(z.string().min(1).max(200)).min(1).max(50),
      field: fieldName.optional(),
      quiet: z.boolean().optional().describe('Do not count it as a recall'),
    }),
    z.strictObject({ learnings: z.array(Hydrated), tokens: z.number().int() }),
  ),
  'recall.workflow': method(
    'How an agent is meant to recall, in three steps',
    none,
    z.strictObject({ text: z.string() }),
  ),
  'recall.calibrate': method(
    'Measure the live notes and propose floors for each arm; writes them only when asked to',
    z.strictObject({ write: z.boolean().default(false) }),
    z.strictObject({
      sampled: z.number().int(),
      proposed: z.record(z.string(), z.number()),
      effect: z.strictObject({
        candidatesBefore: z.number().int(),
        candidatesAfter: z.number().int(),
        answersBefore: z.number().int(),
        answersAfter: z.number().int(),
      }),
      toml: z.string(),
      written: z.boolean(),
    }),
    { emits: ({ written }) => (written ? ['settings.changed'] : []) },
  ),
  'recall.inject': method(
    'The block an agent gets at the start of a session',
    z.strictObject({
      cwd: path,
      project: project.optional().describe('A project id, instead of the one of cwd'),
      session: session.optional(),
      query: z.string().max(4_000).optional(),
      knobs: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Settings for this call only, by their own names'),
    }),
    z.strictObject({ text: z.string(), ids: z.array(id), tokens: z.number().int() }),
  ),

  ...GRAPH_METHODS,
  ...OUTCOME_METHODS,
  ...DISTILL_METHODS,

  'corpus.build': method(
    'Pin a part of the knowledge base under a name',
    z.strictObject({ name: corpusName, filter: CorpusFilter.prefault({}) }),
    Corpus,
  ),
  'corpus.list': method('Every corpus, and whether it is stale', none, z.array(Corpus)),
  'corpus.query': method(
    'Ask a corpus: a recall that sees its learnings alone',
    RecallInput.omit({ corpus: true }).extend({ name: corpusName }),
    RecallOutput,
  ),
  'corpus.rebuild': method(
    'Choose the learnings of a corpus anew by its filter',
    z.strictObject({ name: corpusName }),
    z.strictObject({ corpus: Corpus, added: z.array(id), removed: z.array(id) }),
  ),
  'corpus.drop': method('Remove a corpus; its learnings stay', z.strictObject({ name: corpusName }), done),
  'corpus.prime': method(
    'A text that makes any agent answer from a corpus alone',
    z.strictObject({ name: corpusName, maxTokens: z.number().int().min(1).max(10_000_000).optional() }),
    z.strictObject({ text: z.string(), learnings: z.number().int(), tokens: z.number().int() }),
  ),

  'learnings.list': method(
    'Learnings by filter, newest first, or best match first when text is given',
    z.strictObject({
      text: project.optional(),
      project: z.string().optional(),
      branch: z.string().optional(),
      category: z.string().optional(),
      tag: z.string().optional(),
      agent: z.string().optional(),
      status: Status.optional(),
      confidence: z.enum(['high', 'medium', 'low']).optional().describe('From 0.8, from 0.5, or below'),
      best: z
        .array(id)
        .max(100)
        .optional()
        .describe(
          'Of those with the text, these come first, in this order; where none has it, these are listed',
        ),
      facets: z.boolean().default(true).describe('Also count what each filter would show'),
      offset: z.number().int().min(0).default(0),
      limit: limit.default(100),
    }),
    z.strictObject({
      items: z.array(LearningRow),
      total: z.number().int(),
      facets: z.record(z.string(), z.array(z.strictObject({ value: z.string(), count: z.number().int() }))),
    }),
    { redacts: false },
  ),
  'learnings.get': method('One learning in full', z.strictObject({ id }), Learning),
  'learnings.create': method('Add a learning', z.strictObject({ note: Note, reason }), changed),
  'learnings.update': method(
    'Change fields of a learning',
    z.strictObject({
      id,
      patch: NotePatch,
      /** Refused as a conflict when the learning has changed since the caller read it. */
      seenUpdatedAt: z.number().int().optional(),
      reason,
    }),
    changed,
  ),
  'learnings.archive': method('Stop recalling a learning', z.strictObject({ id, reason }), changed),
  'learnings.restore': method('Recall an archived learning again', z.strictObject({ id, reason }), changed),
  'learnings.changeMany': method(
    'Archive, restore, move or tag many learnings as one event: one undo takes all of it back',
    z.strictObject({
      ids: z.array(id).min(1).max(500),
      status: z.enum(['active', 'archived']).optional(),
      project: project.optional().describe('Where they belong from now on'),
      addTags: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
      removeTags: z.array(z.string().max(400)).max(20).optional(),
      reason,
    }),
    z.strictObject({ changed: z.number().int(), changeId: z.number().int().nullable() }),
  ),
  'learnings.history': method(
    'Every change of a learning, newest first',
    z.strictObject({ id }),
    z.array(Change),
  ),
  'learnings.excerpt': method(
    'The part of the transcript a learning came from, redacted',
    z.strictObject({ id }),
    z.strictObject({
      available: z.boolean(),
      why: z.string(),
      turns: z.array(
        z.strictObject({
          role: z.string(),
          text: z.string(),
          at: z.number().nullable(),
          trigger: z.boolean(),
        }),
      ),
    }),
  ),
  'changes.undo': method(
    'Take a change back; without an id, the newest one that can be',
    z.strictObject({ changeId: z.number().int().optional() }),
    z.strictObject({ change: Change, learning: Learning.nullable() }),
  ),
  'projects.list': method('Every project the knowledge base knows', none, z.array(Project)),

  'inbox.list': method('Everything that waits for a person; as many as the status counts', none, Inbox),
  'merges.list': method(
    'Pairs of notes that say nearly the same, or seem to contradict each other',
    none,
    z.array(MergeQuestion),
  ),
  'merges.resolve': method(
    'Answer a merge question: make one note of both, keep both, drop the new one, or let it take the place of the old',
    z.strictObject({
      id: z.number().int(),
      action: z.enum(['merge', 'keep-both', 'dismiss', 'replace']),
      merged: NotePatch.optional(),
    }),
    z.strictObject({ changeId: z.number().int() }),
  ),
  'knowledge.revise': method(
    'Create, update or take back learnings in one go; what says nearly the same as another is held for a decision',
    z.strictObject({
      actions: z.array(RevisionAction).min(1).max(500),
      actor: z.string().trim().min(1).max(60).default('agent'),
    }),
    Revision,
  ),
  'knowledge.forget': method(
    'Forget the learnings whose time is over',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({
      forgotten: z.array(z.strictObject({ id, title: z.string(), forgetAfter: z.number().int() })),
      dryRun: z.boolean(),
    }),
  ),
  'knowledge.maintain': method(
    'Look through the graph: take out what leads nowhere, tie in what stands alone',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({
      dangling: z.number().int(),
      relinked: z.number().int(),
      orphans: z.number().int(),
      dryRun: z.boolean(),
    }),
  ),
  'gaps.list': method('What was asked and could not be answered', none, z.array(Gap)),
  'gaps.close': method(
    'Ask nobody about an unanswered question until it comes up again; or open it again',
    z.strictObject({
      query: z.string().max(4_000),
      project: z.string().max(500),
      closed: z.boolean().default(true),
    }),
    done,
  ),
  'slots.list': method(
    'Pinned text that every session starts with; with a project, as its sessions see it',
    z.strictObject({ project: project.optional() }),
    z.array(Slot),
  ),
  'slots.get': method('One slot, as a project sees it', slotKey, Slot),
  'slots.create': method(
    'Make a slot beyond the usual ones',
    slotEdit.extend({
      content: slotText.default(''),
      description: z.string().max(200).default(''),
      sizeLimit: slotLimit.default(2_000),
      readOnly: z.boolean().default(false),
    }),
    Slot,
  ),
  'slots.append': method('Add lines to a slot', slotEdit.extend({ text: slotText.min(1) }), Slot),
  'slots.replace': method('Replace the text of a slot', slotEdit.extend({ content: slotText }), Slot),
  'slots.remove': method(
    'Empty a slot; one that a person made can be removed for good',
    slotEdit.extend({ forGood: z.boolean().default(false) }),
    done,
  ),
  'slots.configure': method(
    'Lock, unlock, describe or resize a slot',
    slotEdit.extend({
      readOnly: z.boolean().optional(),
      description: z.string().max(200).optional(),
      sizeLimit: slotLimit.optional(),
    }),
    Slot,
  ),
  'slots.order': method(
    'Put slots in this order; those not named come after',
    z.strictObject({ project, names: z.array(slotName).min(1).max(200) }),
    z.array(Slot),
  ),
  'slots.history': method('Every edit of a slot, newest first', slotKey, z.array(SlotChange)),
  'slots.undo': method(
    'Take an edit of a slot back',
    z.strictObject({ changeId: z.number().int() }),
    SlotChange,
  ),

  'skills.list': method(
    'The installed skills of every agent',
    z.strictObject({ cwd: path.optional() }),
    z.array(Skill),
  ),
  'skills.find': method(
    'Find installed skills for a topic',
    z.strictObject({
      query: z.string().trim().min(1).max(4_000),
      cwd: path.optional(),
      limit: limit.max(100).default(10),
    }),
    z.array(z.strictObject({ skill: Skill, score: z.number() })),
    { redacts: false },
  ),
  'skills.refresh': method(
    'Look for installed skills now',
    z.strictObject({ cwd: path.optional() }),
    z.strictObject({ found: z.number().int(), read: z.number().int(), removed: z.number().int() }),
  ),

  'capture.moments': method(
    'What was noticed in the transcripts and what became of it, newest first',
    z.strictObject({ session: z.string().optional(), limit: limit.default(100) }),
    z.array(Moment),
    { redacts: false },
  ),
  'capture.lineage': method(
    'Which parts of a transcript became which learnings; or, of a learning, which parts of which transcripts it comes from',
    z.strictObject({ transcript: path }).or(z.strictObject({ learning: id })),
    z.array(Chunk),
    { redacts: false },
  ),
  'capture.pause': method('Stop reading transcripts until resumed', none, done),
  'capture.resume': method('Read transcripts again', none, done),
  'capture.commit': method(
    'Tell of a commit, as a post-commit hook of git does: it is tied to its session, and what it reverts is taken back',
    z.strictObject({
      sha: z.string().regex(/^[0-9a-f]{7,64}$/i, 'a commit is named by at least seven digits of its sha'),
      cwd: path,
      message: z.string().max(100_000).default(''),
      branch: branch.optional(),
      session: session
        .optional()
        .describe('The agent session that made it; without it, the one last at work in the project'),
      conflictResolved: z.boolean().default(false),
      at: Learning.shape.createdAt.optional(),
    }),
    z.strictObject({ session: z.string(), reverts: z.array(z.string()) }),
  ),
  'capture.troubles': method('Which sessions went in circles or broke tests lately', none, z.array(Trouble)),
  'capture.dismiss': method(
    'Drop what was noticed and archive its learning',
    z.strictObject({ id: z.number().int() }),
    done,
  ),

  ...ARCHIVE_METHODS,
  ...AGENT_METHODS,

  'documents.repair': method(
    'Read again the notes on disk that could not be read',
    z.strictObject({
      backfillRelations: z.boolean().optional().describe('Make relations of no known kind plain: relates_to'),
    }),
    z.strictObject({
      repaired: z.array(z.string()),
      left: z.array(z.strictObject({ path: z.string(), problem: z.string() })),
    }),
  ),
  'privacy.scan': method(
    'Look through everything stored for secrets that slipped through',
    none,
    z.strictObject({
      texts: z.number().int(),
      found: z.number().int(),
      /** Where and of which kind, never the secret itself; at most 500. */
      findings: z.array(
        z.strictObject({ where: z.string(), id: z.string(), kinds: z.record(z.string(), z.number().int()) }),
      ),
    }),
  ),

  'config.list': method(
    'Every setting: value, where it was set, what it does',
    z.strictObject({ cwd: path.optional() }),
    z.array(KnobState),
  ),
  'config.set': method(
    'Change a setting in the home configuration; null resets it',
    z.strictObject({ name: asSent(z.string()), value: asSent(z.unknown()) }),
    KnobState,
    { emits: ['settings.changed'] },
  ),
  'ports.list': method('The 57 ports: what, knob, value, module, proof', none, z.array(PortState)),
  'models.list': method('The models and whether their weights are there', none, z.array(ModelState)),
  'models.get': method(
    'Fetch missing weights in the background',
    z.strictObject({ id: z.string().optional() }),
    z.array(ModelState),
  ),

  'uses.list': method(
    'Which sessions were given a learning, latest first; or which learnings a session was given, in order; or the session last at work in a folder',
    z.union([
      z.strictObject({ learning: id, limit: limit.default(100) }),
      z.strictObject({ session: z.string().min(1).max(200), limit: limit.default(100) }),
      z.strictObject({ cwd: path, limit: limit.default(100) }),
    ]),
    z.array(SessionUse),
    { redacts: false },
  ),
  'sessions.list': method(
    'The sessions something was noticed in or that were given learnings, latest first',
    z.strictObject({ limit: limit.default(100) }),
    z.array(SessionSummary),
  ),
  'hook.run': method(
    'Answer an agent hook',
    z.strictObject({
      agent: z.string().max(60),
      event: z.string().max(60),
      payload: HookPayload,
      withinMs: z
        .number()
        .int()
        .positive()
        .optional()
        .describe('How long the hook waits; what is found later is not told, and not taken for told'),
    }),
    z.strictObject({ output: z.string() }),
  ),
};

export type Method = keyof typeof METHODS;
export type Input<M extends Method> = z.input<(typeof METHODS)[M]['input']>;
export type Output<M extends Method> = z.output<(typeof METHODS)[M]['output']>;
export type Call = <M extends Method>(method: M, input: Input<M>) => Promise<Output<M>>;

export type Handlers = {
  [M in Method]: (input: z.output<(typeof METHODS)[M]['input']>) => Output<M> | Promise<Output<M>>;
};

/** Failures travel as values: Electron keeps only the `message` of what a handler throws. */
export type Reply =
  { ok: true; value: unknown } | { ok: false; code: ErrorCode; detail?: string | undefined };
export type Send = (method: string, input: unknown) => Promise<Reply>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

/** The one client. Socket, IPC, browser and tests differ only in how they send; tests are strict about what comes back. */
export function createClient(send: Send, { strict = false } = {}): Call {
  const readers = new Map<Method, z.ZodType>();
  const readerOf = (method: Method): z.ZodType => {
    const reader =
      readers.get(method) ?? (strict ? METHODS[method].output : tolerant(METHODS[method].output));
    readers.set(method, reader);
    return reader;
  };
  return async (method, input) => {
    const reply = await send(method, input);
    if (!reply.ok) throw new DaemonError(reply.code, reply.detail);
    const answer = readerOf(method).safeParse(reply.value);
    if (answer.success) return answer.data as Output<typeof method>; // by that method's own schema; TypeScript cannot correlate the two
    const [issue] = answer.error.issues;
    throw new DaemonError('unreadable', `${method}: ${issue?.path.join('.')} ${issue?.message}`);
  };
}
