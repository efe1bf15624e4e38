import type { Command } from 'commander';
import type { Output } from '#contract/methods.ts';
import { ABOUT_ANSWERS, RECALL_WORKFLOW } from '#contract/modes.ts';
import { deriveCommands, row } from '../derive.ts';
import { bold, dim, plural, print } from '../output.ts';
import { projectOf, SCOPE_FLAGS, SEARCH_FLAGS } from '../recall-flags.ts';
import { query } from './recall.ts';

const STAGED_COMMANDS = [
  row({
    ...query,
    use: 'index <query...>',
    method: 'recall.index',
    help: `\n${RECALL_WORKFLOW.replaceAll('recall.', 'reflect ')}`,
    print: printIndex,
  }),
  row({
    use: 'timeline <anchor...>',
    method: 'recall.timeline',
    args: { anchor: 'the id of a learning, or a query' },
    flags: {
      ...SCOPE_FLAGS,
      before: 'number of earlier learnings, 3 by default',
      after: 'number of later learnings, 3 by default',
    },
    input: projectOf,
    print: printTimeline,
  }),
  row({
    use: 'hydrate <id...>',
    method: 'recall.hydrate',
    args: { id: { field: 'ids', doc: 'ids from the index' } },
    flags: { field: SEARCH_FLAGS.field },
    print: printHydrated,
    fails: ({ learnings }) => learnings.every(({ found }) => !found),
  }),
];

export const stagedCommands = (program: Command): void => deriveCommands(program, STAGED_COMMANDS);

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
      `${plural(rows.length, 'row')}, ~${tokens} tokens, ${ms.toFixed(1)} ms. \`reflect hydrate <id…>\` prints them.`,
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
  print(dim(ABOUT_ANSWERS), '');
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
