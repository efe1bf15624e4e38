import * as z from 'zod';
import { branch, done, learningId as id, limit, none, path, project, session } from './fields.ts';
import { method } from './method.ts';
import { Corpus, CorpusFilter, Economics, Hydrated, IndexRow, Time, TimelineRow } from './modes.ts';
import { Hit, NearMiss, TraceStep } from './recall.ts';

const fieldName = z
  .string()
  .min(1)
  .max(100)
  .describe('Return only this field of each learning, e.g. rule, fix or problem');
const corpusName = z.string().max(1_000); // the daemon says what is wrong with a name
const knobs = z.record(z.string(), z.unknown()).describe('Settings for this call only, by name');

export const RecallInput = z.strictObject({
  query: z.string().trim().min(1).max(4_000).describe('What to search for, in plain words'),
  cwd: path.optional().describe('The folder to search from; its project and branch are used'),
  project: project.optional().describe('A project id, instead of the project of cwd'),
  branch: branch.optional().describe('A branch, instead of the one checked out in cwd'),
  global: z.boolean().optional().describe('Search every project'),
  allBranches: z.boolean().optional().describe('Search every branch of the project'),
  candidates: z.boolean().optional().describe('Also search candidates: notes that wait for a decision'),
  tags: z.array(z.string().max(100)).max(50).optional().describe('Prefer learnings with these tags'),
  since: Time.optional().describe(
    'Only learnings from this time on: a date, a phrase such as "last week", or epoch milliseconds',
  ),
  until: Time.optional().describe('Only learnings up to this time'),
  limit: limit.max(100).optional().describe('Return at most this many learnings'),
  session: session.optional().describe('The id of the agent session that asks'),
  knobs: knobs.optional(),
  quiet: z.boolean().optional().describe('Record nothing; for search as you type'),
  field: fieldName.optional(),
  corpus: corpusName.optional().describe('Search only this corpus, from any project'),
});

const RecallOutput = z.strictObject({
  /** A fact that answers the query by itself; there are no hits then. */
  answer: z.strictObject({ field: z.string(), text: z.string() }).nullable(),
  hits: z.array(Hit),
  /** True when there are learnings but none is relevant enough; named as other tools name it. */
  ood_gated: z.boolean(),
  /** The nearest of those that are not relevant enough, when none is. Not an answer. */
  nearMisses: z.array(NearMiss),
  tokens: z.number().int(),
  ms: z.number(),
  /** Parts of recall that did not run and why, e.g. missing weights. */
  notices: z.array(z.string()),
  /** Tokens the hits cost and save; absent when switched off and when there are no hits. */
  economics: Economics.optional(),
  trace: z.array(TraceStep).optional(),
});

/** Search, its three-step form for agents, and corpora to pin it to. Part of the one table of methods. */
export const RECALL_METHODS = {
  'recall.search': method('Search learnings by topic', RecallInput, RecallOutput, { queues: true }),
  'recall.explain': method(
    'Search, and show every step: which notes were found, and why each was kept or dropped',
    RecallInput,
    RecallOutput,
    { queues: true },
  ),
  'recall.index': method(
    'Step 1: search, and get many short rows of id and title. Then hydrate only the ids you need',
    RecallInput.omit({ candidates: true }),
    RecallOutput.pick({
      answer: true,
      ood_gated: true,
      nearMisses: true,
      tokens: true,
      ms: true,
      notices: true,
    }).extend({
      rows: z.array(IndexRow),
    }),
    { queues: true },
  ),
  'recall.timeline': method(
    'Step 2: list the learnings from just before and after a row, if their order matters',
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
        .describe('The id of a learning, or a query whose best hit is the anchor'),
      before: z.number().int().min(0).max(50).default(3),
      after: z.number().int().min(0).max(50).default(3),
    }),
    z.strictObject({ rows: z.array(TimelineRow), tokens: z.number().int() }),
  ),
  'recall.hydrate': method(
    'Step 3: get whole learnings by id; ask only for those you need, because this step costs tokens',
    z.strictObject({
      ids: z.array(z.string().min(1).max(200)).min(1).max(50),
      field: fieldName.optional(),
      quiet: z.boolean().optional().describe('Do not count it as a recall'),
    }),
    z.strictObject({ learnings: z.array(Hydrated), tokens: z.number().int() }),
  ),
  'recall.workflow': method(
    'Get the three-step recall workflow for agents',
    none,
    z.strictObject({ text: z.string() }),
  ),
  'recall.calibrate': method(
    'Measure the stored learnings and propose a score floor for each search arm; with write, save the floors',
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
    'Get the text injected into an agent at the start of a session',
    z.strictObject({
      cwd: path,
      project: project.optional().describe('A project id, instead of the project of cwd'),
      session: session.optional(),
      query: z.string().max(4_000).optional(),
      knobs: knobs.optional(),
    }),
    z.strictObject({ text: z.string(), ids: z.array(id), tokens: z.number().int() }),
  ),

  'corpus.build': method(
    'Save a part of the knowledge base under a name',
    z.strictObject({ name: corpusName, filter: CorpusFilter.prefault({}) }),
    Corpus,
  ),
  'corpus.list': method('List corpora and mark the stale ones', none, z.array(Corpus)),
  'corpus.query': method(
    'Search the learnings of one corpus',
    RecallInput.omit({ corpus: true, candidates: true }).extend({ name: corpusName }),
    RecallOutput,
  ),
  'corpus.rebuild': method(
    'Apply the filter of a corpus again',
    z.strictObject({ name: corpusName }),
    z.strictObject({ corpus: Corpus, added: z.array(id), removed: z.array(id) }),
  ),
  'corpus.drop': method('Delete a corpus; its learnings stay', z.strictObject({ name: corpusName }), done),
  'corpus.prime': method(
    'Get a prompt that makes any agent answer from one corpus only',
    z.strictObject({ name: corpusName, maxTokens: z.number().int().min(1).max(10_000_000).optional() }),
    z.strictObject({ text: z.string(), learnings: z.number().int(), tokens: z.number().int() }),
  ),
};
