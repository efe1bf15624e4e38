import type { Command } from 'commander';
import type { Input } from '#contract/methods.ts';
import { listOf, wholeNumber } from './values.ts';

export interface RecallFlags {
  limit?: number;
  maxTokens?: number;
  project?: string;
  branch?: string;
  global?: boolean;
  allBranches?: boolean;
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

/** Where to look: for everything that is asked from within a folder. */
export function scopeFlags(command: Command): Command {
  return command
    .option('--project <id>', 'in this project instead of the current one')
    .option('--branch <name>', 'as if this branch were checked out')
    .option('--global', 'in every project')
    .option('--all-branches', 'in every branch of the project');
}

/** How to look. */
export function recallFlags(command: Command): Command {
  return command
    .option('--limit <n>', 'at most this many', wholeNumber)
    .option('--max-tokens <n>', 'at most this many tokens; 0 for no limit', wholeNumber)
    .option('--tags <list>', 'prefer these tags, separated by commas')
    .option('--since <time>', 'only what was learned from then on: 2026-03-01, "last week"')
    .option('--until <time>', 'only what was learned up to then')
    .option('--field <name>', 'this field of each note alone: rule, fix, problem, root_cause …')
    .option('--min-overlap <0…1>', 'nothing at all when even the best touches the question less')
    .option('--no-mmr', 'by relevance alone, even if all say the same')
    .option('--mmr-lambda <0…1>', 'weight of relevance against novelty')
    .option('--no-cross-encoder', 'without the reranker')
    .option('--no-gap-log', 'do not remember the question when it finds nothing');
}

export function question(
  words: string[],
  flags: RecallFlags,
  fromEnvironment: Record<string, unknown>,
): Input<'recall.search'> {
  const { limit, project, branch, global, allBranches, since, until, field, corpus } = flags;
  const tags = flags.tags === undefined ? undefined : listOf(flags.tags);
  return {
    query: words.join(' '),
    cwd: process.cwd(),
    limit,
    project,
    branch,
    global,
    allBranches,
    tags,
    since,
    until,
    field,
    corpus,
    knobs: { ...fromEnvironment, ...knobsOf(flags) },
  };
}

/** Flags that set a knob for this call; the daemon checks the numbers, for it knows their range. */
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
