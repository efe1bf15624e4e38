import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ImportMode } from '#contract/archive.ts';
import { type ImportItem, ImportKind, type ImportPreview, type ImportResult } from '#contract/imports.ts';
import type { Call } from '#contract/methods.ts';
import { dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';
import { clearProgress, drawProgress, printImported, printInspected } from './archive.ts';

interface Flags {
  dryRun?: boolean;
  force?: boolean;
  merge?: boolean;
  mine?: boolean;
  kind?: Exclude<ImportKind, 'reflect-archive'>;
  project?: string;
  keep?: boolean;
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .argument('<path>', 'an export, or a file or folder of another program')
    .description('Import an export of Reflect, or notes of another program')
    .option('--dry-run', 'show what would be imported and what not, and why')
    .addOption(
      new Option('--merge', 'for an export: add what is missing; conflicts become merge questions').conflicts(
        'force',
      ),
    )
    .option('--mine', 'for an export you made: import it as it is, without review')
    .option('--force', 'for an export: replace this knowledge base, after a backup')
    .addOption(new Option('--kind <kind>', 'the program it comes from; detected if left out').choices(KINDS))
    .option('--project <project>', 'project id or folder for notes without a known project')
    .option('--keep', 'import as learnings at once, not as candidates')
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: Flags, command: Command) => run(resolve(path), flags, command));
}

const KINDS = ImportKind.exclude(['reflect-archive']).options;

const EXAMPLES = `
Reads exports of Reflect and reflect-memory, notes of reflect-memory and basic-memory, Claude’s memory, CLAUDE.md, AGENTS.md and
the like, the database of claude-mem, AIWG’s loops, Bao’s experiences, and any folder of markdown.

Examples:
  reflect import ~/basic-memory --dry-run          show what is new, known or unreadable, and why
  reflect import ~/.claude-mem --project .         notes wait as candidates: \`reflect candidates\`
  reflect import AGENTS.md --keep                  as learnings at once; \`reflect undo\` reverses it
  reflect import team.tar --merge                  an export into a knowledge base in use`;

async function run(path: string, flags: Flags, command: Command): Promise<void> {
  let print: () => void = () => {};
  await withDaemon(
    command,
    async (call) => {
      const isArchive = await isExport(call, path, flags);
      const { output, printed } = await (
        isArchive ? archived(call, path, flags) : foreign(call, path, flags)
      ).finally(clearProgress);
      print = printed;
      return output;
    },
    () => print(),
    drawProgress,
  );
}

/** Each way to import brings its own printer. */
interface Outcome {
  output: unknown;
  printed: () => void;
}

async function isExport(call: Call, path: string, { kind, merge, force }: Flags): Promise<boolean> {
  if (kind) return false;
  if (merge || force) return true;
  return (await call('imports.detect', { path })).kind === 'reflect-archive';
}

async function archived(call: Call, path: string, { dryRun, force, merge, mine }: Flags): Promise<Outcome> {
  const mode: ImportMode = merge ? 'merge' : force ? 'force' : 'restore';
  if (dryRun) {
    const output = await call('archive.inspect', { path });
    return { output, printed: () => printInspected(output, mode) };
  }
  const output = await call('archive.import', { path, mode, mine: mine ?? false });
  return { output, printed: () => printImported(output) };
}

async function foreign(call: Call, path: string, { dryRun, kind, project, keep }: Flags): Promise<Outcome> {
  const given = {
    path,
    ...(kind ? { kind } : {}),
    ...(project === undefined ? {} : { project: existsSync(project) ? resolve(project) : project }),
  };
  if (dryRun) {
    const output = await call('imports.preview', given);
    return { output, printed: () => printPreview(output) };
  }
  const output = await call('imports.run', { ...given, keep: keep ?? false });
  return { output, printed: () => printResult(output) };
}

const SHOWN = 40;

function printPreview({ name, counts, items }: ImportPreview): void {
  print(`${name}: ${counted(counts)}`, '');
  print(...table(items.slice(0, SHOWN).map(rowOf), ['', 'note', 'from', 'why']));
  if (items.length > SHOWN) print(dim(`and ${items.length - SHOWN} more; see them with --json`));
}

const rowOf = ({ fate, title, source, reason }: ImportItem): string[] => [
  fate,
  title.slice(0, 60),
  source,
  dim(reason),
];

const counted = (counts: ImportPreview['counts']): string =>
  [
    `${counts.new} new`,
    `${counts.twin} known`,
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    `${counts.unreadable} unreadable`,
  ].join(', ');

function printResult(result: ImportResult): void {
  const { name, counts, items, added, kept, questions, redactions, changeId, batch } = result;
  print(`${name}: ${counted(counts)}`);
  // Where nothing was added, a person wants to know why not.
  const explained = items.filter(({ fate }) => fate === 'unreadable' || added.length === 0);
  for (const { fate, source, reason } of explained.slice(0, SHOWN)) print(`${fate}: ${source}: ${reason}`);
  if (redactions > 0) print(`${plural(redactions, 'secret or private part')} removed`);
  if (questions > 0) print(`${plural(questions, 'question')} to decide: \`reflect merges\``);
  const waiting = added.length - questions;
  if (waiting > 0)
    print(
      kept
        ? `${plural(waiting, 'learning')} added`
        : `${plural(waiting, 'candidate')} added; agents get them once you keep them: \`reflect candidates --session ${batch}\``,
    );
  if (changeId !== null) print(dim(`\`reflect undo ${changeId}\` undoes the whole import.`));
}
