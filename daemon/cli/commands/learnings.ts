import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Change, Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { type Input, METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { deriveCommands, row } from '../derive.ts';
import { changeNumber, listOf } from '../values.ts';
import { withDaemon } from '../session.ts';
import { branchHere, projectHere } from '../here.ts';

interface NoteFlags {
  title?: string;
  problem?: string;
  fix?: string;
  rule?: string;
  category?: string;
  tags?: string;
  confidence?: string;
  body?: string;
  global?: boolean;
  branch?: string | boolean;
}

export function learningCommands(program: Command): void {
  noteFlags(
    program
      .command('add')
      .argument('<title>', 'the rule in one sentence')
      .description(METHODS['learnings.create'].doc),
  )
    .option('--global', 'for every project')
    .option('--branch [name]', 'only for a branch, by default the one checked out, until it is merged')
    .action((title: string, flags: NoteFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('learnings.create', { note: { ...noteFrom(flags), ...projectHere(flags.global), title } }),
        ({ learning }) => print(learning.id),
      ),
    );

  noteFlags(
    program
      .command('edit')
      .argument('<id>')
      .option('--title <text>')
      .option('--branch [name]', 'only for a branch, by default the one checked out, until it is merged')
      .option('--no-branch', 'for the whole project')
      .description(METHODS['learnings.update'].doc),
  ).action((id: string, flags: NoteFlags, command: Command) =>
    withDaemon(
      command,
      (call) => call('learnings.update', { id, patch: noteFrom(flags) }),
      ({ learning }) => printLearning(learning),
    ),
  );

  program
    .command('forget')
    .argument('[id]')
    .description(METHODS['learnings.archive'].doc)
    .option('--reason <text>')
    .option('--expired', METHODS['knowledge.forget'].doc.toLowerCase())
    .option('--dry-run', 'with --expired: preview only')
    .action(
      (
        id: string | undefined,
        { reason, expired, dryRun }: { reason?: string; expired?: true; dryRun?: true },
        command: Command,
      ) => {
        if (expired)
          return withDaemon(
            command,
            (call) => call('knowledge.forget', { dryRun: dryRun ?? false }),
            printForgotten,
          );
        if (id === undefined) throw new DaemonError('bad-input', 'Pass the id of a learning, or --expired.');
        return withDaemon(
          command,
          (call) => call('learnings.archive', { id, reason }),
          ({ learning }) => print(`Archived: ${learning.title}`, dim('`reflect undo` undoes it.')),
        );
      },
    );

  deriveCommands(program, LEARNING_COMMANDS);
}

const LEARNING_COMMANDS = [
  row({
    use: 'learn [rule...]',
    method: 'learnings.learn',
    args: {
      rule: 'the rule in one sentence; without it, a JSON object with these fields is read from standard input',
    },
    flags: { when: {}, why: {}, evidence: {}, kind: {}, branch: {}, session: {} },
    input: ({ rule }) => (Array.isArray(rule) && rule.length > 0 ? {} : lessonFromInput()),
    print: printLearned,
  }),
  row({ use: 'show <id>', method: 'learnings.get', print: printLearning }),
  row({ use: 'history <id>', method: 'learnings.history', print: printHistory }),
  row({
    use: 'undo [change]',
    method: 'changes.undo',
    args: { change: 'the number of a change, as `reflect history` shows it' },
    input: ({ change }) => (change === undefined ? {} : { changeId: changeNumber(String(change)) }),
    print: ({ change: { kind, learningId }, learning }) =>
      print(`Undone: ${kind} of ${learning?.title ?? learningId}`),
  }),
];

/** The daemon validates the fields. */
function lessonFromInput(): Partial<Input<'learnings.learn'>> {
  try {
    return JSON.parse(readFileSync(0, 'utf8')) as Partial<Input<'learnings.learn'>>;
  } catch {
    throw new DaemonError('bad-input', 'Pass the rule, or a JSON object on standard input.');
  }
}

const OUTCOMES = {
  created: 'Recorded',
  updated: 'Known; this is one more proof',
  held: 'Held: a person decides whether it equals a known learning',
  known: 'Already recorded in this session',
} as const;

function printLearned({ outcome, learning: { id, title }, alike }: Output<'learnings.learn'>): void {
  print(`${OUTCOMES[outcome]}: ${title}`, dim(id));
  if (alike.length > 0) print('Known about this:', ...alike.map((known) => `- ${known}`));
}

function printForgotten({ forgotten, dryRun }: Output<'knowledge.forget'>): void {
  const summary = `${plural(forgotten.length, 'learning')} ${dryRun ? 'would be forgotten' : 'forgotten'}`;
  print(
    ...table(
      forgotten.map(({ id, title, forgetAfter }) => [
        id,
        new Date(forgetAfter).toISOString().slice(0, 10),
        title,
      ]),
    ),
    forgotten.length === 0 ? 'No learnings have expired.' : summary,
  );
}

function noteFlags(command: Command): Command {
  return command
    .option('--problem <text>', 'what went wrong')
    .option('--fix <text>', 'what to do')
    .option('--rule <text>')
    .option('--category <name>')
    .option('--tags <list>', 'separated by commas')
    .option('--confidence <0…1>')
    .option('--body <text>', 'markdown; - reads it from standard input');
}

function noteFrom({ tags, confidence, body, branch, global: _global, ...fields }: NoteFlags) {
  return {
    ...fields,
    ...(tags === undefined ? {} : { tags: listOf(tags) }),
    ...(confidence === undefined ? {} : { confidence: Number(confidence) }),
    ...(body === undefined ? {} : { body: body === '-' ? readFileSync(0, 'utf8') : body }),
    ...(branch === undefined ? {} : { branch: branch === false ? null : branchHere(branch) }),
  };
}

function printLearning({
  id,
  title,
  problem,
  rootCause,
  fix,
  rule,
  body,
  tags,
  confidence,
  project,
  branch,
  status,
  provenance,
  updatedAt,
  metadata,
  documentProblem,
}: Learning): void {
  print(
    bold(title),
    dim(
      `${id} · ${status} · confidence ${confidence} · ${[project, branch].filter(Boolean).join(' ') || 'global'} · ${ago(updatedAt)}`,
    ),
  );
  const fields: Array<[string, string]> = [
    ['Problem', problem],
    ['Cause', rootCause],
    ['Fix', fix],
    ['Rule', rule],
    ['Tags', tags.join(', ')],
  ];
  print(...table(fields.filter(([, value]) => value !== '')));
  if (branch) print('', dim(whyOnBranch(branch, metadata)));
  if (body) print('', body);
  if (provenance.agent) print('', dim(`from ${provenance.agent}, session ${provenance.session}`));
  if (documentProblem) print('', `The file on disk cannot be read: ${documentProblem}`);
}

/** A note without a reason was bound by a person or an agent. */
function whyOnBranch(
  branch: string,
  { branchReason = 'it was added for this branch' }: Note['metadata'],
): string {
  return `Only on ${branch}: ${String(branchReason)}. It becomes the project's when the branch is merged or gone.`;
}

function printHistory(changes: Change[]): void {
  print(
    ...table(
      changes.map(({ id, at, actor, kind, reason, fields, undone }) => [
        String(id),
        ago(at),
        actor,
        `${kind}${undone ? ' (undone)' : ''}`,
        [reason, fields.join(', ')].filter(Boolean).join(': '),
      ]),
      ['change', 'when', 'who', 'what', 'why'],
    ),
  );
}
