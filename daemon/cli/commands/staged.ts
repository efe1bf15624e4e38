import type { Command } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { RECALL_WORKFLOW } from '#contract/modes.ts';
import { bold, dim, plural, print } from '../output.ts';
import { question, type RecallFlags, scopeFlags } from '../recall-flags.ts';
import { wholeNumber } from '../values.ts';
import { knobsFromEnvironment, withDaemon } from '../session.ts';
import { asking } from './recall.ts';

interface TimelineFlags extends Pick<RecallFlags, 'project' | 'branch' | 'global' | 'allBranches'> {
  before: number;
  after: number;
}

export function stagedCommands(program: Command): void {
  asking(
    program
      .command('index')
      .argument('<query...>', 'what to search for')
      .description(METHODS['recall.index'].doc),
  )
    .addHelpText('after', `\n${inCommands(RECALL_WORKFLOW)}`)
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withDaemon(
        command,
        async (call) => call('recall.index', question(words, flags, await knobsFromEnvironment(call))),
        printIndex,
      ),
    );

  scopeFlags(
    program
      .command('timeline')
      .argument('<anchor...>', 'the id of a learning, or a query')
      .description(METHODS['recall.timeline'].doc),
  )
    .option('--before <n>', 'number of earlier learnings', wholeNumber, 3)
    .option('--after <n>', 'number of later learnings', wholeNumber, 3)
    .action((words: string[], flags: TimelineFlags, command: Command) =>
      withDaemon(
        command,
        (call) => call('recall.timeline', { ...flags, anchor: words.join(' '), cwd: process.cwd() }),
        printTimeline,
      ),
    );

  program
    .command('hydrate')
    .argument('<id...>', 'ids from the index')
    .description(METHODS['recall.hydrate'].doc)
    .option('--field <name>', 'print only this field: rule, fix, problem, root_cause …')
    .action((ids: string[], { field }: { field?: string }, command: Command) =>
      withDaemon(command, (call) => call('recall.hydrate', { ids, field }), printHydrated),
    );
}

const inCommands = (text: string) => text.replaceAll('recall.', 'reflect ');

function printIndex({ answer, rows, tokens, ms, notices }: Output<'recall.index'>): void {
  for (const notice of notices) print(dim(notice));
  if (answer) {
    print(bold(answer.text), dim(`  ${answer.field}, as it is done here`));
    return;
  }
  if (rows.length === 0) {
    print('No learnings found.');
    return;
  }
  for (const { id, title, score, date, value } of rows)
    print(`[${id}] ${bold(String(value ?? title))}  ${dim(`score ${score} · ${date}`)}`);
  print(
    '',
    dim(
      `${plural(rows.length, 'row')}, ~${tokens} tokens, ${ms.toFixed(1)} ms. \`reflect hydrate <id…>\` reads the ones you choose.`,
    ),
  );
}

function printTimeline({ rows }: Output<'recall.timeline'>): void {
  if (rows.length === 0) {
    print('No learnings found.');
    return;
  }
  for (const { id, title, date, anchor } of rows)
    print(`${anchor ? '▶' : ' '} ${date}  [${id}] ${anchor ? bold(title) : title}`);
}

function printHydrated({ learnings, tokens }: Output<'recall.hydrate'>): void {
  for (const learning of learnings) {
    if (!learning.found) {
      print(`[${learning.id}] No such learning.`);
      continue;
    }
    const { id, title, project, date, note, value } = learning;
    print(
      bold(value === undefined ? title : String(value ?? title)),
      dim(`  ${[id, project || 'global', date].join(' · ')}`),
    );
    if (note) print(...wholeOf(note));
    print('');
  }
  print(dim(`~${tokens} tokens`));
  if (learnings.every(({ found }) => !found)) process.exitCode = 1;
}

type Note = NonNullable<Extract<Output<'recall.hydrate'>['learnings'][number], { found: true }>['note']>;

function wholeOf({ rule, problem, rootCause, fix, keyInsight, tags, entities, body }: Note): string[] {
  const fields: Array<[string, string]> = [
    ['Rule', rule],
    ['Problem', problem],
    ['Cause', rootCause],
    ['Fix', fix],
    ['Insight', keyInsight],
    ['Tags', tags.join(', ')],
    ['Entities', entities.map(({ name }) => name).join(', ')],
  ];
  return [
    ...fields.filter(([, text]) => text !== '').map(([name, text]) => `  ${name}: ${text}`),
    ...(body ? ['', body] : []),
  ];
}
