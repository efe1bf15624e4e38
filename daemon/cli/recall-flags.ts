import type { Call } from '#contract/methods.ts';
import type { Given } from './derive.ts';
import { projectNamed } from './here.ts';
import { knobsFromEnvironment } from './session.ts';

/** Scope options, for every command that searches from a folder. */
export const SCOPE_FLAGS = {
  project: { doc: 'search this project instead of the current one', value: 'id' },
  branch: { doc: 'as if this branch were checked out', value: 'name' },
  global: 'search every project',
  allBranches: 'search every branch of the project',
};

/** Search options. */
export const SEARCH_FLAGS = {
  limit: 'maximum number of learnings',
  maxTokens: { doc: 'maximum number of tokens; 0 for no limit', value: 'n' },
  tags: 'prefer these tags, separated by commas',
  since: { doc: 'learned since: 2026-03-01, "last week"', value: 'time' },
  until: { doc: 'learned until', value: 'time' },
  field: { doc: 'print only this field: rule, fix, problem, root_cause …', value: 'name' },
  minOverlap: { doc: 'return nothing if the best result is less relevant', value: '0…1' },
  noMmr: 'rank by relevance only, even if results repeat each other',
  mmrLambda: { doc: 'weight of relevance against novelty', value: '0…1' },
  noCrossEncoder: 'skip the reranker',
  noGapLog: 'do not log the query if nothing is found',
};

export const projectOf = ({ project }: Given): { project?: string } =>
  typeof project === 'string' ? { project: projectNamed(project) } : {};

/** The fields of a search that are not typed as they are sent. Flags win over the environment of this shell. */
export async function searchInput(given: Given, call: Call) {
  return { ...projectOf(given), knobs: { ...(await knobsFromEnvironment(call)), ...knobsOf(given) } };
}

/** Flags that set a knob for this call; the daemon validates the numbers. */
function knobsOf({ maxTokens, minOverlap, mmr, mmrLambda, crossEncoder, gapLog }: Given) {
  return {
    ...(maxTokens === undefined ? {} : { REFLECT_RECALL_MAX_TOKENS: maxTokens }),
    ...(minOverlap === undefined ? {} : { REFLECT_RECALL_MIN_OVERLAP: minOverlap }),
    ...(mmr ? {} : { RECALL_MMR: false }),
    ...(mmrLambda === undefined ? {} : { RECALL_MMR_LAMBDA: mmrLambda }),
    ...(crossEncoder ? {} : { RECALL_CROSS_ENCODER: false }),
    ...(gapLog ? {} : { RECALL_GAP_LOG: false }),
  };
}
