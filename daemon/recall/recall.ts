import { contentWords } from '../text/tokenise.ts';
import type { Learning } from '#contract/entities.ts';
import type { Hit, NearMiss, TraceStep } from '#contract/recall.ts';
import type { Economics } from '#contract/modes.ts';
import type { Inference } from '../inference/inference.ts';
import type { Afterwards } from '../platform/afterwards.ts';
import { branchScope, identifyProject } from '../platform/project.ts';
import type { Settings } from '../platform/settings.ts';
import { allPerProject, integer, type Resolve } from '../ports/knob.ts';
import { without } from '../ports/overrides.ts';
import { redact } from '../privacy/redact.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import type { ReadableDb, WritableDb } from '../store/db.ts';
import { namesOf, projectRoot } from '../store/learnings/learnings.ts';
import { countRecalls } from '../store/learnings/signals.ts';
import { addGap } from '../store/learnings/questions.ts';
import { logRecall } from '../store/outcomes/recall-log.ts';
import { addUses } from '../store/outcomes/session-uses.ts';
import type { Scope } from '../store/search/shards.ts';
import type { RecallCache } from './answer-cache.ts';
import { followUps, knowledgeGaps } from './diagnostics.ts';
import type { RecallGauge } from './gauge.ts';
import { relevanceTo } from './gate/out-of-domain.ts';
import { economicsOf, type Glyphs, tokenEconomics } from './modes/economics.ts';
import { fieldNamed } from './modes/fields.ts';
import { hitOf, matchedIn, strongIn, twoPlaces } from './hits.ts';
import { recall, type Step, toTrace } from './pipeline.ts';
import type { DirectAnswer, RecallRequest } from './port.ts';
import { crossEncoder } from './rerank/cross-encoder.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { dateOf } from '../platform/time.ts';

export const RECALL_KNOBS = allPerProject({
  limit: integer('REFLECT_RECALL_LIMIT', {
    default: 10,
    min: 1,
    max: 100,
    doc: 'Maximum number of learnings a recall returns',
  }),
});

export interface RecallQuestion {
  query: string;
  cwd?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  global?: boolean | undefined;
  allBranches?: boolean | undefined;
  /** Also search candidates. Only a person's search sets it. */
  candidates?: boolean | undefined;
  tags?: string[] | undefined;
  since?: number | undefined;
  until?: number | undefined;
  limit?: number | undefined;
  session?: string | undefined;
  knobs?: Record<string, unknown> | undefined;
  /** Return only this field of each note, as its value (S1). */
  field?: string | undefined;
  /** Every embedder is asked: the hits are judged by their similarity, one by one. */
  thorough?: boolean | undefined;
  /** When the answer is needed, on the clock of `performance.now()`: a hook's agent waits for it. */
  deadline?: number | undefined;
  /** Only these rows may answer: the members of a corpus, wherever the question is asked from (M7). */
  only?: ReadonlySet<number> | undefined;
}

export interface RecallAnswer {
  answer: DirectAnswer | null;
  hits: Hit[];
  /** True when all that was found was refused as not relevant enough (R7). */
  ood_gated: boolean;
  nearMisses: NearMiss[];
  tokens: number;
  ms: number;
  notices: string[];
  economics?: Economics;
  trace?: TraceStep[];
}

export interface RecallParts {
  db: WritableDb;
  settings: Settings;
  inference: Inference;
  /** The vectors of each embedder, the first one first. */
  indexes: ReadonlyArray<Pick<VectorIndex, 'role' | 'table' | 'generation'>>;
  cache: RecallCache;
  gauge?: RecallGauge;
  /** Takes what is to be recorded after the answer is sent; without it that is recorded first. */
  afterwards?: Afterwards;
  /** Where a person keeps Reflect out: what is asked there is answered, not recorded. */
  isIgnored?: (cwd: string) => boolean;
  /** The signs of the mode in force, by type of learning (M4). */
  glyphs?: (resolve: Resolve) => Glyphs;
  now: () => number;
}

export interface AnswerOptions {
  explain?: boolean;
  /** Records nothing: for previews and experiments. */
  quiet?: boolean;
  /** Only titles are shown: the question is logged, but no note counts as recalled before someone reads it. */
  glance?: boolean;
}

/** The learnings most relevant to a text, with their relevance: for deciding about them, not for injecting them. */
export async function findRelevant(
  parts: RecallParts,
  text: string,
  project: string,
): Promise<Array<{ learning: Learning; relevance: number }>> {
  const resolve = parts.settings.resolver({
    call: without(crossEncoder),
    projectRoot: projectRoot(parts.db, project),
  });
  const scope = { project, branch: null, allBranches: true, everywhere: false };
  const request = requestFor(parts, { query: text, thorough: true }, scope, resolve(RECALL_KNOBS.limit));
  const { hits } = await recall(request, resolve);
  const relevance = relevanceTo(text);
  return hits
    .map((hit) => ({ learning: hit.learning, relevance: relevance(hit) }))
    .toSorted((one, other) => other.relevance - one.relevance);
}

/** Answers a question from the knowledge base. */
export async function answer(
  parts: RecallParts,
  question: RecallQuestion,
  options: AnswerOptions = {},
): Promise<RecallAnswer> {
  const start = performance.now();
  const field = question.field === undefined ? null : fieldNamed(question.field);
  const here = question.cwd ? identifyProject(question.cwd) : null;
  const resolve = parts.settings.resolver({ call: question.knobs, projectRoot: here?.root });
  // A corpus answers the same from every folder, so the folder neither narrows nor favours.
  const project = question.project ?? (question.only ? null : here?.id) ?? null;
  const request = requestFor(
    parts,
    question,
    {
      project,
      branch: question.branch ?? branchScope(here?.branch),
      allBranches: question.allBranches ?? false,
      everywhere: question.global ?? (question.only !== undefined && question.project === undefined),
      candidates: question.candidates ?? false,
    },
    question.limit ?? resolve(RECALL_KNOBS.limit),
  );
  const { answer: direct, hits: ranked, steps } = await recall(request, resolve);
  const hits = ranked.map((each, index) => hitOf(each, index + 1, field));
  const ms = performance.now() - start;
  if (!options.explain) parts.gauge?.note(steps);
  if (!options.quiet && !direct) {
    const how = {
      gaps: resolve(knowledgeGaps.switch) && !question.only,
      followUps: resolve(followUps.switch),
      counted: !options.glance,
    };
    afterAnswering(parts, () => {
      if (question.cwd === undefined || !parts.isIgnored?.(question.cwd))
        remember(parts, question, project ?? '', hits, ms, how);
    });
  }
  const economics = resolve(tokenEconomics.switch)
    ? economicsOf(strongIn(hits), parts.glyphs?.(resolve))
    : null;
  return {
    answer: direct,
    hits,
    ...refusedIn(parts.db, steps),
    ms,
    tokens: hits.reduce((sum, hit) => sum + hit.tokens, 0),
    notices: [...notices(parts, here?.root), ...steps.map(({ notice }) => notice).filter(Boolean)],
    ...(economics ? { economics } : {}),
    ...(options.explain ? { trace: toTrace(parts.db, steps) } : {}),
  };
}

/** The gate’s refusal of everything, if there was one, and the nearest misses. */
function refusedIn(db: ReadableDb, steps: readonly Step[]): Pick<RecallAnswer, 'ood_gated' | 'nearMisses'> {
  const refused = steps.flatMap(({ nearMisses }) => nearMisses);
  const names = namesOf(
    db,
    refused.map(({ seq }) => seq),
  );
  const nearMisses = refused.flatMap(({ seq, relevance: by }) => {
    const name = names.get(seq);
    return name ? [{ ...name, relevance: twoPlaces(by) }] : [];
  });
  return { ood_gated: refused.length > 0, nearMisses };
}

export function requestFor(
  { db, inference, indexes, cache, now }: RecallParts,
  { query, tags = [], since, until, only, thorough = false, deadline }: RecallQuestion,
  scope: Scope,
  limit: number,
): RecallRequest {
  const range =
    since === undefined && until === undefined
      ? null
      : { start: since ?? 0, end: until ?? now(), confidence: 1, matchedText: 'the time asked for' };
  return {
    question: { text: query, words: query, range },
    scope,
    tags,
    between: range,
    limit,
    thorough,
    only: only ?? null,
    deadline: deadline === undefined || deadline === Infinity ? null : deadline,
    db,
    version: [knowledgeVersion(db), ...indexes.map(({ generation }) => generation)].join('.'),
    inference,
    indexes,
    cache,
    now,
  };
}

/** Records in one transaction, so that the disk is asked once. */
function afterAnswering({ db, afterwards }: RecallParts, work: () => void): void {
  const record = () => db.health.tolerate(db.transaction(work));
  if (afterwards) afterwards.add(record);
  else record();
}

interface Remember {
  /** False for a corpus: what it lacks, the knowledge base may hold, so it is no gap. */
  gaps: boolean;
  followUps: boolean;
  counted: boolean;
}

function remember(
  { db, now }: RecallParts,
  { query: asked, session = '' }: RecallQuestion,
  project: string,
  hits: Hit[],
  ms: number,
  { gaps, followUps, counted }: Remember,
): void {
  const ids = hits.map(({ learning }) => learning.id);
  const query = redact(asked).text; // a hook sends the person's own prompt
  logRecall(db, { at: now(), query: query.slice(0, 200), project, session, ms, ids }, followUps);
  const used = strongIn(hits).map(({ learning }) => learning.id);
  if (used.length > 0 && counted) {
    countRecalls(db, used, now());
    addUses(db, {
      ids: used,
      matched: matchedIn(hits),
      session,
      via: 'recall',
      agent: '',
      project,
      at: now(),
    });
  }
  if (ids.length === 0 && gaps)
    addGap(db, {
      at: now(),
      query: query.slice(0, 200),
      normalized: contentWords(query).toSorted().join(' '),
      project,
      session: session || `unknown-${dateOf(now())}`,
    });
}

function notices({ inference, settings }: RecallParts, projectRoot: string | undefined): string[] {
  const problem = projectRoot ? settings.projectProblem(projectRoot) : '';
  return [
    ...(inference.available('embedder')
      ? []
      : ['The embedder is missing: searched by words only. `reflect models get` fetches it.']),
    ...(problem ? [problem] : []),
  ];
}
