import type { Command } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, print, table } from '../output.ts';
import { question, type RecallFlags, recallFlags, scopeFlags } from '../recall-flags.ts';
import { knobsFromEnvironment, withDaemon } from '../session.ts';

export function recallCommands(program: Command): void {
  asking(
    program
      .command('search')
      .argument('<query...>', 'what to search for')
      .description(METHODS['recall.search'].doc),
  )
    .option('--candidates', 'also search candidates, which agents are not given')
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withDaemon(
        command,
        async (call) => call('recall.search', question(words, flags, await knobsFromEnvironment(call))),
        printAnswer,
      ),
    );

  asking(
    program
      .command('explain')
      .argument('<query...>', 'what to search for')
      .description(METHODS['recall.explain'].doc),
  )
    .option('--candidates', 'also search candidates, which agents are not given')
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withDaemon(
        command,
        async (call) => call('recall.explain', question(words, flags, await knobsFromEnvironment(call))),
        printTrace,
      ),
    );

  program
    .command('inject')
    .description(METHODS['recall.inject'].doc)
    .option('--query <text>', 'topic of the session')
    .action(({ query }: { query?: string }, command: Command) =>
      withDaemon(
        command,
        (call) => call('recall.inject', { cwd: process.cwd(), query }),
        ({ text }) => print(text || dim('Nothing to inject here yet.')),
      ),
    );
}

/** All options of a search. */
export function asking(command: Command): Command {
  return recallFlags(scopeFlags(command)).option('--corpus <name>', 'search only this corpus');
}

type Answer = Output<'recall.search'>;

export function printAnswer({ answer, hits, nearMisses, tokens, ms, notices, economics }: Answer): void {
  for (const notice of notices) print(dim(notice));
  if (answer) {
    print(bold(answer.text), dim(`  ${answer.field}, as it is done here`));
    return;
  }
  if (hits.length === 0) {
    print(
      nearMisses.length === 0 ? 'No learnings found.' : 'Nothing relevant. Nearest, but not relevant enough:',
    );
    for (const { id, title, relevance } of nearMisses)
      print(dim(`  ${relevance.toFixed(2)}  ${title}  (${id})`));
    return;
  }
  hits.forEach((hit, index) => {
    const { learning, score } = hit;
    const mark = learning.status === 'candidate' ? '  candidate' : '';
    print(`${bold(headline(hit))}${mark}  ${dim(score.toFixed(3))}`);
    if (hit.value === undefined && learning.fix) print(`  ${learning.fix}`);
    print(
      dim(
        `  ${[learning.id, learning.provenance.agent, ago(learning.updatedAt), economics?.rows[index]?.text].filter(Boolean).join(' · ')}`,
      ),
    );
  });
  print('', dim(`${economics?.footer ?? `${hits.length} found, ~${tokens} tokens`} · ${ms.toFixed(1)} ms`));
}

/** The requested field; where a note lacks it, its next best text is more useful to a person than nothing (S1). */
function headline({ learning, value }: Answer['hits'][number]): string {
  if (value === undefined) return learning.title;
  return String(value ?? (learning.keyInsight || learning.title));
}

const SHOWN = 8;

function printTrace({ trace = [], ...answer }: Answer): void {
  for (const { stage, port, seed, on, says, ms, candidates, dropped } of trace) {
    print(
      `${bold(port)}${seed ? ` (${seed})` : ''}${on ? '' : ' off'}  ${says}  ${dim(`${ms.toFixed(1)} ms`)}`,
    );
    if (stage === 'scope') continue;
    print(
      ...table(
        candidates
          .slice(0, SHOWN)
          .map(({ rank, score, id, note = '' }) => [`  ${rank}`, score.toFixed(4), id, note]),
      ),
    );
    if (candidates.length > SHOWN) print(dim(`  … and ${candidates.length - SHOWN} more`));
    for (const { id, reason } of dropped.slice(0, SHOWN)) print(dim(`  − ${id}: ${reason}`));
  }
  print('');
  printAnswer(answer);
}
