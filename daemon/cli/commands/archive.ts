import { resolve } from 'node:path';
import type { Command } from 'commander';
import type {
  ArchiveItem,
  ArchivePreview,
  ArchiveProgress,
  Exported,
  Imported,
  ImportMode,
  Inspected,
} from '#contract/archive.ts';
import type { DaemonEvent } from '#contract/status.ts';
import { METHODS } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { bytes, dim, plural, print, table, tableOf } from '../output.ts';
import { withDaemon } from '../session.ts';
import { exportToGit } from './team-git.ts';

interface ExportFlags {
  overwrite?: boolean;
  sign?: boolean;
  dryRun?: boolean;
  git?: string;
  project?: string;
}

export function archiveCommands(program: Command): void {
  program
    .command('export')
    .argument('[file]', 'path of the export', `reflect-${new Date().toISOString().slice(0, 10)}.tar`)
    .description(METHODS['archive.export'].doc)
    .option('--overwrite', 'overwrite an existing file')
    .option('--sign', 'sign it with your key; people who trust the key need not review it')
    .option('--dry-run', METHODS['archive.preview'].doc)
    .option('--git <folder>', METHODS['team.exportGit'].doc)
    .option('--project <project>', 'with --git: only notes of this project; `.` is the current one')
    .action(
      (
        file: string,
        { overwrite = false, sign = false, dryRun, git, project }: ExportFlags,
        command: Command,
      ) =>
        git !== undefined
          ? exportToGit(command, git, project)
          : dryRun
            ? withDaemon(command, (call) => call('archive.preview', {}), printPreview)
            : withDaemon(
                command,
                (call) =>
                  call('archive.export', { path: resolve(file), replace: overwrite, sign }).finally(
                    clearProgress,
                  ),
                printExported,
                drawProgress,
              ),
    );
  deriveCommands(program, KEY_COMMANDS);
}

const KEY_COMMANDS = [
  row({
    use: 'keys',
    method: 'keys.list',
    none: 'No keys yet. `reflect export --sign` creates yours, `reflect keys trust` adds one.',
    print: tableOf(
      ({ id, name, key, isOwn }) => [id, isOwn ? `${name} (your own)` : name, key],
      ['id', 'whose', 'key'],
    ),
  }),
  row({
    use: 'keys trust <key>',
    method: 'keys.trust',
    args: { key: 'the key, as `reflect keys` prints it for its owner' },
    flags: { name: { doc: 'name of its owner', required: true } },
    print: ({ name, id }) => print(`Trusted the key ${id} of ${name}.`),
  }),
  row({
    use: 'keys remove <key>',
    method: 'keys.remove',
    print: ({ name, id }) => print(`The key ${id} of ${name} is no longer trusted.`),
  }),
];

/** One line that overwrites itself, only on a terminal. */
export function drawProgress(event: DaemonEvent): void {
  if (event.type === 'archive.progress' && process.stderr.isTTY)
    process.stderr.write(`${CLEAR}${progressLine(event.progress)}`);
}

const CLEAR = '\r\x1b[K';

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR);
}

export function progressLine({ step, done, total }: ArchiveProgress): string {
  if (total === 0) return `${step} ${done}`;
  const share = Math.min(1, done / total);
  return `${'█'.repeat(Math.round(share * 20)).padEnd(20, '░')} ${Math.floor(share * 100)}% ${step}`;
}

function printPreview(preview: ArchivePreview): void {
  const { learnings, documents, bytes: size, projects, categories, statuses } = preview;
  print(`${plural(learnings, 'learning')} in ${plural(documents, 'file')}, about ${bytes(size)}`);
  for (const [name, counts] of [
    ['by project', projects],
    ['by category', categories],
    ['by status', statuses],
  ] as const) {
    if (counts.length > 0)
      print(
        '',
        ...table(
          counts.map(({ value, count }) => [`  ${value || '(none)'}`, String(count)]),
          [name, ''],
        ),
      );
  }
}

function printExported({ path, sha256, bytes: size, documents, tables, leftOut, signedBy }: Exported): void {
  print(
    `${path}: ${plural(tables.learning ?? 0, 'learning')}, ${plural(documents, 'file')}, ${bytes(size)}`,
    dim(`sha256 ${sha256}`),
    ...(signedBy ? [dim(`signed with your key ${signedBy}`)] : []),
  );
  for (const left of leftOut) print(`left out: ${left.path} ${left.why}`);
}

/** A dry run describes the chosen mode. */
export function printInspected(
  { documents, tables, bytes: size, targetEmpty, diff, trust, signedBy }: Inspected,
  mode: ImportMode,
): void {
  print(`${plural(tables.learning ?? 0, 'learning')}, ${plural(documents, 'file')}, ${bytes(size)}`);
  print(TRUST[trust]);
  if (trust === 'foreign' && signedBy) print(dim(`Signed with an unknown key: ${signedBy}`));
  list('+', 'new', diff.added);
  list(
    '~',
    mode === 'merge' ? `different here, ${diff.conflicts} in conflict` : 'would be replaced',
    diff.changed,
  );
  if (mode === 'force') list('−', 'would be removed, after a backup', diff.missing);
  print(dim(`${diff.same} the same`));
  if (mode === 'restore' && !targetEmpty)
    print('This knowledge base is not empty: --merge adds to it, --force replaces it after a backup.');
}

const TRUST: Record<Inspected['trust'], string> = {
  mine: 'Your own export: it is imported as it is.',
  known: 'Signed with a key you trust: notes are imported at once, slots wait in the Inbox.',
  foreign: 'Its notes will wait in the Inbox. If you made this export, pass --mine.',
};

export function printImported(imported: Imported): void {
  const { mode, trust, changeId, added, replaced, stayed, removed, conflicts, same, backup, keptFiles } =
    imported;
  print(
    mode === 'merge'
      ? `${added.total} added, ${stayed.total} kept as they are here, ${same} the same`
      : `${added.total} added, ${replaced.total} replaced, ${removed.total} removed, ${same} the same`,
  );
  if (trust === 'foreign' && added.total + replaced.total > 0)
    print('They wait in the Inbox, as one import. If you made the export, pass --mine.');
  if (changeId !== null) print(dim(`\`reflect undo ${changeId}\` undoes the whole import.`));
  if (conflicts > 0) print(`${plural(conflicts, 'question')} to decide: \`reflect merges\``);
  if (backup) print(`Backup of the previous knowledge base: ${backup}`);
  if (keptFiles) print(`Files that are not notes: ${keptFiles}`);
}

const SHOWN = 20;

function list(sign: string, what: string, { total, items }: { total: number; items: ArchiveItem[] }): void {
  if (total === 0) return;
  print(
    `${total} ${what}`,
    ...items
      .slice(0, SHOWN)
      .map(
        ({ kind, title, project, fields }) =>
          `  ${sign} ${kind === 'slot' ? 'slot ' : ''}${title} ${dim([project, fields.join(', ')].filter(Boolean).join(': '))}`,
      ),
  );
  if (total > SHOWN) print(dim(`  and ${total - SHOWN} more; see all with --json`));
}
