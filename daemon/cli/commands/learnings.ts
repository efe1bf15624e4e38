import { colleagueOf } from '../colleague.ts';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CHANGE_NAMES, type Learning, type Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { type Input, METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table, tableOf } from '../output.ts';
import { deriveCommands, type Given, row } from '../derive.ts';
import { changeNumber, listOf } from '../values.ts';
import { withDaemon } from '../session.ts';
import { branchHere, PROJECT_FLAG, projectHere, projectNamed } from '../here.ts';

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
  project?: string;
  branch?: string | boolean;
}

export function learningCommands(program: Command): void {
  noteFlags(
    program
      .command('add')
      .argument('<title>', 'the rule in one sentence')
      .description(METHODS['learnings.create'].doc),
  )
    .option('--project <id>', 'for another project: an id from `reflect projects`')
    .option('--global', 'for every project')
    .option('--branch [name]', 'only for a branch until it is merged; the current one by default')
    .action((title: string, flags: NoteFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('learnings.create', {
            note: { ...noteFrom(flags), ...placeFrom({ project: '.', ...flags }), title },
          }),
        ({ learning }) => printAdded(learning),
      ),
    );

  noteFlags(
    program
      .command('edit')
      .argument('<id>')
      .option('--title <text>')
      .option(
        '--project <id>',
        'move it to a project: an id from `reflect projects`, or . for the current one',
      )
      .option('--global', 'for every project')
      .option('--branch [name]', 'only for a branch until it is merged; the current one by default')
      .option('--no-branch', 'for the whole project')
      .description(METHODS['learnings.update'].doc),
  ).action((id: string, flags: NoteFlags, command: Command) =>
    withDaemon(
      command,
      (call) => call('learnings.update', { id, patch: { ...noteFrom(flags), ...placeFrom(flags) } }),
      ({ learning }) => printLearning(learning),
    ),
  );

  deriveCommands(program, LEARNING_COMMANDS);
}

const LEARNING_COMMANDS = [
  row({
    use: 'list [text...]',
    method: 'learnings.list',
    doc: 'List the learnings of this project, newest first, or best match first with a text',
    flags: {
      global: 'of every project',
      project: PROJECT_FLAG,
      branch: 'bound to this branch',
      category: {},
      tag: {},
      agent: 'captured from this agent',
      status: { doc: 'active by default' },
      confidence: {},
      limit: 'how many',
      offset: 'skip this many',
    },
    input: ({ global, project, status }) => ({
      facets: false,
      ...(status === undefined ? { status: 'active' as const } : {}),
      ...(project === undefined && !global ? inProjectHere() : {}),
      ...(typeof project === 'string' ? { project: projectNamed(project) } : {}),
    }),
    print: printList,
  }),
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
  row({
    use: 'archive <ids...>',
    method: 'learnings.changeMany',
    doc: 'Archive learnings: recall no longer returns them; `reflect restore <id>` brings them back',
    flags: { reason: 'why, for its history' },
    input: () => ({ status: 'archived' as const }),
    print: ({ changed, changeId }) =>
      print(
        changed === 0 ? 'Already archived.' : `Archived ${plural(changed, 'learning')}.`,
        ...(changeId === null ? [] : [dim(`\`reflect undo ${changeId}\` undoes it.`)]),
      ),
  }),
  row({
    use: 'projects',
    method: 'projects.list',
    none: 'No projects yet.',
    print: tableOf(({ id, learnings, root }) => [id || 'global', plural(learnings, 'learning'), root]),
  }),
  row({ use: 'show <id>', method: 'learnings.get', print: printLearning }),
  row({
    use: 'history <id>',
    method: 'learnings.history',
    print: tableOf(
      ({ id, at, actor, kind, reason, fields, undone }) => [
        String(id),
        ago(at),
        actor,
        `${kind}${undone ? ' (undone)' : ''}`,
        [reason, fields.join(', ')].filter(Boolean).join(': '),
      ],
      ['change', 'when', 'who', 'what', 'why'],
    ),
  }),
  row({
    use: 'undo [change]',
    method: 'changes.undo',
    args: { change: 'number from `reflect history`' },
    input: ({ change }) => (change === undefined ? {} : { changeId: changeNumber(String(change)) }),
    print: ({ change: { kind, learningId }, learning, changes }) => {
      const others = changes > 1 ? ` and ${changes - 1} more` : '';
      print(
        `Undone: ${kind === 'undo' ? 'an undo of' : CHANGE_NAMES[kind]} “${learning?.title ?? learningId}”${others}`,
      );
    },
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
  updated: 'Already known; counted as one more proof',
  held: 'Waits in the Inbox: it may duplicate a known learning',
  known: 'Already recorded in this session',
} as const;

function printLearned({ outcome, learning: { id, title }, alike }: Output<'learnings.learn'>): void {
  print(`${OUTCOMES[outcome]}: ${title}`, dim(id));
  if (alike.length > 0) print('Already known:', ...alike.map((known) => `- ${known}`));
}

/** A script reads the id alone. */
function printAdded({ id, title, project }: Learning): void {
  if (process.stdout.isTTY)
    print(`Added ${project ? `to ${project}` : 'for every project'}: ${title}`, dim(id));
  else print(id);
}

/** Outside of any project, the learnings of all are listed. */
function inProjectHere(): { project?: string } {
  const { project } = projectHere();
  return project === '' ? {} : { project };
}

function printList({ items, total }: Output<'learnings.list'>, { global, project, offset }: Given): void {
  const isEverywhere = Boolean(global) || (project === undefined && projectHere().project === '');
  if (items.length === 0) {
    print('No learnings.', ...(isEverywhere ? [] : [dim('`--global` lists those of every project.')]));
    return;
  }
  const rows = items.map((item) => [
    item.id,
    item.confidence.toFixed(2),
    ago(item.updatedAt),
    ...(isEverywhere ? [item.project || 'global'] : []),
    [item.title, dim(item.colleague && `from ${item.colleague}`)].filter(Boolean).join(' '),
  ]);
  print(...table(rows));
  const shown = Number(offset ?? 0) + items.length;
  if (shown < total) print(dim(`${shown} of ${total}; \`--offset ${shown}\` continues.`));
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

function noteFrom({
  tags,
  confidence,
  body,
  branch,
  global: _global,
  project: _project,
  ...fields
}: NoteFlags) {
  return {
    ...fields,
    ...(tags === undefined ? {} : { tags: listOf(tags) }),
    ...(confidence === undefined ? {} : { confidence: Number(confidence) }),
    ...(body === undefined ? {} : { body: body === '-' ? readFileSync(0, 'utf8') : body }),
    ...(branch === undefined ? {} : { branch: branch === false ? null : branchHere(branch) }),
  };
}

/** Where a note goes, if that was said. */
function placeFrom({ global, project }: NoteFlags): Partial<Pick<Note, 'project' | 'scope'>> {
  if (global) return projectHere(true);
  if (project === undefined) return {};
  return { project: projectNamed(project, '`--project` names one, `--global` means all'), scope: 'project' };
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
      [
        id,
        status,
        `confidence ${confidence}`,
        [project, branch].filter(Boolean).join(' ') || 'global',
        colleagueOf({ metadata }),
        ago(updatedAt),
      ]
        .filter(Boolean)
        .join(' · '),
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
  return `Only on ${branch}: ${String(branchReason)}. It applies to the whole project once the branch is merged or deleted.`;
}
