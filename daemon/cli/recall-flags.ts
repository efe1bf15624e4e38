import type { Command } from 'commander';
import type { Input } from '#contract/methods.ts';
import { projectNamed } from './here.ts';
import { listOf, wholeNumber } from './values.ts';

export interface RecallFlags {
  limit?: number;
  maxTokens?: number;
  project?: string;
  branch?: string;
  global?: boolean;
  allBranches?: boolean;
  candidates?: boolean;
  tags?: string;
  since?: string;
  until?: string;
  field?: string;
  corpus?: string;
  minOverlap?: string;
  mmr: boolean;
  mmrLambda?: string;
  crossEncoder: boolean;
  gapLog: boolean;
}

/** Scope options, for every command that searches from a folder. */
export function scopeFlags(command: Command): Command {
  return command
    .option('--project <id>', 'search this project instead of the current one', projectNamed)
    .option('--branch <name>', 'as if this branch were checked out')
    .option('--global', 'search every project')
    .option('--all-branches', 'search every branch of the project');
}

/** Search options. */
export function recallFlags(command: Command): Command {
  return command
    .option('--limit <n>', 'maximum number of learnings', wholeNumber)
    .option('--max-tokens <n>', 'maximum number of tokens; 0 for no limit', wholeNumber)
    .option('--tags <list>', 'prefer these tags, separated by commas')
    .option('--since <time>', 'learned since: 2026-03-01, "last week"')
    .option('--until <time>', 'learned until')
    .option('--field <name>', 'print only this field: rule, fix, problem, root_cause …')
    .option('--min-overlap <0…1>', 'return nothing if the best result has less relevance')
    .option('--no-mmr', 'rank by relevance only, even if results repeat each other')
    .option('--mmr-lambda <0…1>', 'weight of relevance against novelty')
    .option('--no-cross-encoder', 'without the reranker')
    .option('--no-gap-log', 'do not log the query if nothing is found');
}

export function question(
  words: string[],
  flags: RecallFlags,
  fromEnvironment: Record<string, unknown>,
): Input<'recall.search'> {
  const { limit, project, branch, global, allBranches, candidates, since, until, field, corpus } = flags;
  const tags = flags.tags === undefined ? undefined : listOf(flags.tags);
  return {
    query: words.join(' '),
    cwd: process.cwd(),
    limit,
    project,
    branch,
    global,
    allBranches,
    ...(candidates ? { candidates } : {}),
    tags,
    since,
    until,
    field,
    corpus,
    knobs: { ...fromEnvironment, ...knobsOf(flags) },
  };
}

/** Flags that set a knob for this call; the daemon validates the numbers. */
function knobsOf({
  maxTokens,
  minOverlap,
  mmr,
  mmrLambda,
  crossEncoder,
  gapLog,
}: RecallFlags): Record<string, unknown> {
  return {
    ...(maxTokens === undefined ? {} : { REFLECT_RECALL_MAX_TOKENS: maxTokens }),
    ...(minOverlap === undefined ? {} : { REFLECT_RECALL_MIN_OVERLAP: minOverlap }),
    ...(mmr ? {} : { RECALL_MMR: false }),
    ...(mmrLambda === undefined ? {} : { RECALL_MMR_LAMBDA: mmrLambda }),
    ...(crossEncoder ? {} : { RECALL_CROSS_ENCODER: false }),
    ...(gapLog ? {} : { RECALL_GAP_LOG: false }),
  };
}
