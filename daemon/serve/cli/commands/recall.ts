import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { type Input, METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { knobsFromEnvironment, withDaemon } from '../session.ts';

interface RecallFlags {
  limit?: number;
  maxTokens?: number;
  project?: string;
  branch?: string;
  global?: boolean;
  allBranches?: boolean;
  crossEncoder: boolean;
}

export function recallCommands(program: Command): void {
  recallFlags(program.command('search').argument('<query...>', 'what to look for').description(METHODS['recall.search'].doc))
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withDaemon(command, async (call) => call('recall.search', await question(words, flags, knobsFromEnvironment(call))), printHits));

  recallFlags(program.command('explain').argument('<query...>', 'what to look for').description(METHODS['recall.explain'].doc))
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withDaemon(command, async (call) => call('recall.explain', await question(words, flags, knobsFromEnvironment(call))), printTrace));

  program.command('inject').description(METHODS['recall.inject'].doc).option('--query <text>', 'what the session is about')
    .action(({ query }: { query?: string }, command: Command) =>
      withDaemon(command, (call) => call('recall.inject', { cwd: process.cwd(), query }), ({ text }) => print(text || dim('Nothing to say here yet.'))));
}

function recallFlags(command: Command): Command {
  return command
    .option('--limit <n>', 'at most this many', wholeNumber)
    .option('--max-tokens <n>', 'at most this many tokens; 0 for no limit', wholeNumber)
    .option('--project <id>', 'in this project instead of the current one')
    .option('--branch <name>', 'as if this branch were checked out')
    .option('--global', 'in every project')
    .option('--all-branches', 'in every branch of the project')
    .option('--no-cross-encoder', 'without the reranker');
}

async function question(words: string[], flags: RecallFlags, fromEnvironment: Promise<Record<string, unknown>>): Promise<Input<'recall.search'>> {
  const { limit, maxTokens, project, branch, global, allBranches, crossEncoder } = flags;
  const knobs = {
    ...(await fromEnvironment),
    ...(maxTokens === undefined ? {} : { REFLECT_RECALL_MAX_TOKENS: maxTokens }),
    ...(crossEncoder ? {} : { RECALL_CROSS_ENCODER: false }),
  };
  return { query: words.join(' '), cwd: process.cwd(), limit, project, branch, global, allBranches, knobs };
}

export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(value);
}

type Answer = Output<'recall.search'>;

function printHits({ hits, tokens, ms, notices }: Answer): void {
  for (const notice of notices) print(dim(notice));
  if (hits.length === 0) return print('Nothing was learned about that yet.');
  for (const { learning, score } of hits) {
    print(`${bold(learning.title)}  ${dim(score.toFixed(3))}`);
    if (learning.fix) print(`  ${learning.fix}`);
    print(dim(`  ${[learning.id, learning.provenance.agent, ago(learning.updatedAt)].filter(Boolean).join(' · ')}`));
  }
  print('', dim(`${plural(hits.length, 'learning')}, ~${tokens} tokens, ${ms.toFixed(1)} ms`));
}

const SHOWN = 8;

function printTrace({ trace = [], ...answer }: Answer): void {
  for (const { stage, port, seed, on, says, ms, candidates, dropped } of trace) {
    print(`${bold(port)}${seed ? ` (${seed})` : ''}${on ? '' : ' off'}  ${says}  ${dim(`${ms.toFixed(1)} ms`)}`);
    if (stage === 'scope') continue;
    print(...table(candidates.slice(0, SHOWN).map(({ rank, score, id, note = '' }) => [`  ${rank}`, score.toFixed(4), id, note])));
    if (candidates.length > SHOWN) print(dim(`  … and ${candidates.length - SHOWN} more`));
    for (const { id, reason } of dropped.slice(0, SHOWN)) print(dim(`  − ${id}: ${reason}`));
  }
  print('');
  printHits(answer);
}
