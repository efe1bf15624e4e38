import { contentWords } from '../text/tokenise.ts';
import type { Hit, Learning, TraceStep } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Economics } from '#contract/modes.ts';
import type { Inference } from '../inference/inference.ts';
import { branchScope, identifyProject } from '../platform/project.ts';
import type { CallScope, Settings } from '../platform/settings.ts';
import { integer } from '../ports/knob.ts';
import { without } from '../ports/overrides.ts';
import { redact } from '../privacy/redact.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import type { WritableDb } from '../store/db.ts';
import { countRecalls } from '../store/learnings/signals.ts';
import { addGap } from '../store/learnings/questions.ts';
import { logRecall } from '../store/outcomes/recall-log.ts';
import { addUses } from '../store/outcomes/session-uses.ts';
import { searchByWords, type TextMatch } from '../store/search/words.ts';
import type { RecallCache } from './answer-cache.ts';
import { followUps, knowledgeGaps } from './diagnostics.ts';
import type { RecallGauge } from './gauge.ts';
import { relevance } from './gate/out-of-domain.ts';
import { economicsOf, tokenEconomics } from './modes/economics.ts';
import { fieldNamed, projected } from './modes/fields.ts';
import { recall, toTrace } from './pipeline.ts';
import type { DirectAnswer, QuestionVector, RecallContext } from './port.ts';
import { renderLearning } from './render.ts';
import { crossEncoder } from './rerank/cross-encoder.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { dateOf } from '../platform/time.ts';

export const RECALL_KNOBS = {
  limit: integer('REFLECT_RECALL_LIMIT', {
    default: 10,
    min: 1,
    max: 100,
    doc: 'How many learnings a recall returns at most',
  }),
};

export interface RecallQuestion {
  query: string;
  cwd?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  global?: boolean | undefined;
  allBranches?: boolean | undefined;
  tags?: string[] | undefined;
  since?: number | undefined;
  until?: number | undefined;
  limit?: number | undefined;
  session?: string | undefined;
  knobs?: Record<string, unknown> | undefined;
  /** Give this field of each note as its value (S1). */
  field?: string | undefined;
  /** Only these rows may answer: the members of a corpus, which is then the scope, wherever the question is asked from (M7). */
  only?: ReadonlySet<number> | undefined;
}

export interface RecallAnswer {
  answer: DirectAnswer | null;
  hits: Hit[];
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
  indexes: ReadonlyArray<Pick<VectorIndex, 'slot' | 'table' | 'generation'>>;
  cache: RecallCache;
  gauge?: RecallGauge;
  now: () => number;
}

export interface AnswerOptions {
  explain?: boolean;
  /** Leaves no mark: for trying things out, not for using them. */
  quiet?: boolean;
  /** Only titles are shown: the question is remembered, but no note counts as recalled before someone reads it. */
  glance?: boolean;
}

/** The learnings that bear on a text most, with how much: for deciding about them, not for telling them. */
export async function findRelevant(
  parts: RecallParts,
  text: string,
  project: string,
): Promise<Array<{ learning: Learning; relevance: number }>> {
  const resolve = parts.settings.resolver({ call: without(crossEncoder) });
  const context = contextFor(parts, { query: text }, project, resolve(RECALL_KNOBS.limit));
  const { hits } = await recall(
    context,
    { project, branch: null, allBranches: true, everywhere: false },
    resolve,
    versionOf(parts),
  );
  return hits
    .map((hit) => ({ learning: hit.learning, relevance: relevance(text, hit) }))
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
  const scope: CallScope = { call: question.knobs, projectRoot: here?.root };
  const resolve = parts.settings.resolver(scope);
  // A corpus answers the same from every folder, so the folder neither narrows nor favours.
  const project = question.project ?? (question.only ? null : here?.id) ?? null;
  const context = contextFor(parts, question, project, question.limit ?? resolve(RECALL_KNOBS.limit));
  const {
    answer: direct,
    hits: ranked,
    steps,
  } = await recall(
    context,
    {
      project,
      branch: question.branch ?? branchScope(here?.branch),
      allBranches: question.allBranches ?? false,
      everywhere: question.global ?? (question.only !== undefined && question.project === undefined),
    },
    resolve,
    versionOf(parts),
  );
  const hits = ranked.map(({ learning, score }, index): Hit => {
    const value = field && projected(learning, field);
    return {
      learning,
      score,
      rank: index + 1,
      tokens: estimateTokens(field ? String(value ?? '') : renderLearning(learning)),
      ...(field ? { value } : {}),
    };
  });
  const ms = performance.now() - start;
  if (!options.explain) parts.gauge?.note(steps);
  if (!options.quiet && !direct)
    remember(parts, question, project ?? '', hits, ms, {
      gaps: resolve(knowledgeGaps.switch) && !question.only,
      followUps: resolve(followUps.switch),
      counted: !options.glance,
    });
  const economics = resolve(tokenEconomics.switch) ? economicsOf(hits) : null;
  return {
    answer: direct,
    hits,
    ms,
    tokens: hits.reduce((sum, hit) => sum + hit.tokens, 0),
    notices: notices(parts, here?.root),
    ...(economics ? { economics } : {}),
    ...(options.explain ? { trace: toTrace(context, steps) } : {}),
  };
}

export function contextFor(
  parts: RecallParts,
  { query, tags = [], since, until, only }: RecallQuestion,
  project: string | null,
  limit: number,
): RecallContext {
  let embedding: Array<Promise<QuestionVector | null>> | null = null;
  let matches: readonly TextMatch[] | null = null;
  const range =
    since === undefined && until === undefined
      ? null
      : { start: since ?? 0, end: until ?? parts.now(), confidence: 1, matchedText: 'the time asked for' };
  const context: RecallContext = {
    question: { text: query, words: query, range },
    project,
    tags,
    between: range,
    limit,
    db: parts.db,
    shards: [],
    only: only ?? null,
    inference: parts.inference,
    cache: parts.cache,
    cacheKey: '',
    wordMatches: () =>
      (matches ??= searchByWords(
        parts.db,
        context.question.words,
        context.shards,
        WORD_MATCHES,
        context.only,
      )),
    firstVector: async () => (await (embedding ??= embed(parts, context.question.text))[0]) ?? null,
    vectors: async () =>
      (await Promise.all((embedding ??= embed(parts, context.question.text)))).filter(
        (vector) => vector !== null,
      ),
    now: parts.now,
  };
  return context;
}

const WORD_MATCHES = 200; // more than any arm brings by default
const PATIENCE = 2_000; // ms for embedding one question; later than that, words alone are the better answer

/** The question as each embedder sees it. One that fails or is late is left out: an arm may help, never block. */
function embed({ inference, indexes }: RecallParts, text: string): Array<Promise<QuestionVector | null>> {
  return indexes.map(async ({ slot, table }) => {
    const model = inference.available(slot);
    if (!model || !table) return null;
    try {
      return { slot, model, table, vector: await inference.embedQuery(slot, text, { timeoutMs: PATIENCE }) };
    } catch (error) {
      if (error instanceof DaemonError) return null;
      throw error;
    }
  });
}

/** Changes with every note and every vector: what was cached before is not served after. */
const versionOf = ({ db, indexes }: RecallParts) =>
  [knowledgeVersion(db), ...indexes.map(({ generation }) => generation)].join('.');

interface Remember {
  /** What a corpus does not hold, the knowledge base may: that is no gap. */
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
  const query = redact(asked).text; // a hook asks with the person's own prompt
  logRecall(db, { at: now(), query: query.slice(0, 200), project, session, ms, ids }, followUps);
  if (ids.length > 0 && counted) {
    countRecalls(db, ids, now());
    addUses(db, { ids, session, via: 'recall', agent: '', project, at: now() });
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
