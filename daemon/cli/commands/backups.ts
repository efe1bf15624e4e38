import type { Command } from 'commander';
import type { Backup, Restoring } from '#contract/backups.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bytes, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';
import { DaemonError } from '#contract/errors.ts';

const BACKUP_COMMANDS = [
  row({
    use: 'backup',
    method: 'backups.make',
    print: (made) => print(`Backed up: ${made.name}, ${contents(made)}, ${bytes(made.bytes)}.`),
  }),
  row({ use: 'backup list', method: 'backups.list', print: printBackups }),
];

interface RestoreFlags {
  preview?: boolean;
  keepNotes?: boolean;
  none?: boolean;
}

/** Restore is written by hand: it takes a backup or learnings, and without either lists the backups. */
export function backupCommands(program: Command): void {
  deriveCommands(program, BACKUP_COMMANDS);
  program
    .command('restore')
    .argument(
      '[what...]',
      'ids of archived learnings, the name of a backup, or `latest`; lists the backups if left out',
    )
    .description('Restore archived learnings, or the whole knowledge base from a backup')
    .option('--preview', 'show what would change; restore nothing')
    .option('--keep-notes', 'keep the note files; restore the rest')
    .option('--none', 'after a lost database: continue without a backup')
    .action((what: string[], flags: RestoreFlags, command: Command) => {
      if (flags.none)
        return withDaemon(
          command,
          (call) => call('backups.skip', {}),
          () => print('Continuing without a backup.'),
        );
      const [name, ...others] = what;
      if (name === undefined) return withDaemon(command, (call) => call('backups.list', {}), printBackups);
      if (others.length > 0 || isLearning(name)) return restoreLearnings(what, flags, command);
      const method = flags.preview ? 'backups.preview' : 'backups.restore';
      const choice = { name, keepNotes: flags.keepNotes ?? false };
      return withDaemon(command, (call) => call(method, choice), printRestoring);
    });
}

const isLearning = (name: string) => name !== 'latest' && !/^reflect-.*\.db$/.test(name);

function restoreLearnings(
  ids: string[],
  { preview, keepNotes }: RestoreFlags,
  command: Command,
): Promise<void> {
  if (preview || keepNotes)
    throw new DaemonError('bad-input', '--preview and --keep-notes are for a backup, not for learnings.');
  return withDaemon(
    command,
    (call) => call('learnings.changeMany', { ids, status: 'active', reason: 'restored' }),
    ({ changed, changeId }) =>
      print(
        changed === 0 ? 'Already active.' : `Restored ${plural(changed, 'learning')}.`,
        ...(changeId === null ? [] : [dim(`\`reflect undo ${changeId}\` undoes it.`)]),
      ),
  );
}

const contents = ({ learnings, slots }: Backup) =>
  `${plural(learnings, 'learning')}, ${plural(slots, 'slot')}`;

function printBackups(backups: Backup[]): void {
  if (backups.length === 0) {
    print('No backup yet. Reflect makes one every day; `reflect backup` makes one now.');
    return;
  }
  const rows = backups.map((backup) => [
    backup.name,
    backup.madeAt === 0 ? 'date unknown' : ago(backup.madeAt),
    backup.isReadable ? contents(backup) : 'damaged',
    bytes(backup.bytes),
  ]);
  print(...table(rows), dim('`reflect restore <name> --preview` shows what it would change.'));
}

function printRestoring({ backup, keepNotes, diff, isPreview, before }: Restoring): void {
  const { added, changed, missing, same } = diff;
  const titles = (mark: string, { items }: Restoring['diff']['added']) =>
    items.slice(0, 10).map(({ title }) => `  ${mark} ${title}`);
  const newer = keepNotes ? 'stay, because their files are kept' : isPreview ? 'would go' : 'go';
  print(
    `${backup.name}: ${contents(backup)}`,
    isPreview
      ? `${added.total} would come back, ${changed.total} would be as they were, ${missing.total} ${newer}, ${same} are the same`
      : `${added.total} come back, ${changed.total} are as they were, ${missing.total} ${newer}, ${same} are the same`,
    ...titles('+', added),
    ...titles('~', changed),
    ...(keepNotes ? [] : titles('−', missing)),
    isPreview ? dim('Nothing was changed.') : 'Restored. Reflect is restarting.',
    ...(before === null ? [] : [dim(`Backup of the previous state: ${before}.`)]),
  );
}
