import type { Hit, TraceStep } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { branchScope, identifyProject } from '../platform/project.ts';
import type { CallScope, Settings } from '../platform/settings.ts';
import { integer } from '../ports/knob.ts';
import type { WritableDb } from '../store/db.ts';
import { countRecalls } from '../store/learnings.ts';
import { addGap } from '../store/questions.ts';
import { logRecall } from '../store/recall-log.ts';
import { contentWords } from '../store/search-index.ts';
import type { VectorTable } from '../store/vectors.ts';
import { recall, toTrace } from './pipeline.ts';
import type { RecallContext } from './port.ts';
import { renderLearning } from './render.ts';
import { estimateTokens } from './tokens.ts';

export const RECALL_LIMIT = integer('REFLECT_RECALL_LIMIT', { default: 10, min: 1, max: 100, doc: 'How many learnings a recall returns at most' });

export interface RecallQuestion {
  query: string;
  cwd?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  global?: boolean | undefined;
  allBranches?: boolean | undefined;
  limit?: number | undefined;
  session?: string | undefined;
  knobs?: Record<string, unknown> | undefined;
}

export interface RecallAnswer {
  hits: Hit[];
  tokens: number;
  ms: number;
  notices: string[];
  trace?: TraceStep[];
}

export interface RecallParts {
  db: WritableDb;
  settings: Settings;
  inference: Inference;
  vectors: () => VectorTable | null;
  now: () => number;
}

/** Answers a question from the knowledge base. `quiet` leaves no mark: for trying things out, not for using them. */
export async function answer(parts: RecallParts, question: RecallQuestion, options: { explain?: boolean; quiet?: boolean } = {}): Promise<RecallAnswer> {
  const start = performance.now();
  const here = question.cwd ? identifyProject(question.cwd) : null;
  const scope: CallScope = { call: question.knobs, projectRoot: here?.root };
  const resolve = parts.settings.resolver(scope);
  const project = question.project ?? here?.id ?? null;
  const context: RecallContext = {
    query: question.query, limit: question.limit ?? resolve(RECALL_LIMIT), db: parts.db, shards: [], inference: parts.inference,
    vectors: parts.vectors(), now: parts.now,
  };
  const { hits: ranked, steps } = await recall(context, {
    project,
    branch: question.branch ?? branchScope(here?.branch),
    allBranches: question.allBranches ?? false,
    everywhere: question.global ?? false,
  }, resolve);
  const hits = ranked.map(({ learning, score }, index): Hit => ({ learning, score, rank: index + 1, tokens: estimateTokens(renderLearning(learning)) }));
  const ms = performance.now() - start;
  if (!options.quiet) remember(parts, question, project ?? '', hits, ms);
  return {
    hits, ms,
    tokens: hits.reduce((sum, hit) => sum + hit.tokens, 0),
    notices: notices(parts, here?.root),
    ...(options.explain ? { trace: toTrace(context, steps) } : {}),
  };
}

function remember({ db, now }: RecallParts, { query, session = '' }: RecallQuestion, project: string, hits: Hit[], ms: number): void {
  const ids = hits.map(({ learning }) => learning.id);
  logRecall(db, { at: now(), query: query.slice(0, 200), project, session, ms, ids });
  if (ids.length > 0) countRecalls(db, ids, now());
  else addGap(db, { at: now(), query: query.slice(0, 200), normalized: contentWords(query).toSorted().join(' '), project, session });
}

function notices({ inference, settings }: RecallParts, projectRoot: string | undefined): string[] {
  const problem = projectRoot ? settings.projectProblem(projectRoot) : '';
  return [
    ...(inference.available('embedder') ? [] : ['The embedder is missing: searched by words only. `reflect models get` fetches it.']),
    ...(problem ? [problem] : []),
  ];
}
