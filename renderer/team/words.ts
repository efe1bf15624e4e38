import { formatCount, plural } from '../ui/format.ts';

export const teamWords = {
  tabs: 'Export or import',
  tab: { export: 'Export', import: 'Import' },
  explainExport:
    'Everything Reflect knows as one file: notes, history, relations, slots. The same knowledge gives the same bytes, so two exports can be compared.',
  holds: (learnings: number, files: number, size: string) =>
    `${plural(learnings, 'learning', 'learnings')} in ${plural(files, 'file', 'files')}, about ${size}`,
  byProject: 'By project',
  byCategory: 'By category',
  byStatus: 'By status',
  everyProject: 'every project',
  andMore: (count: number) => `and ${formatCount(count)} more`,
  path: 'Path of the file on this machine',
  chooseFile: 'Choose…',
  export: 'Export',
  exporting: 'Exporting',
  fileThere: 'A file of this name is there already.',
  replaceFile: 'Replace it',
  exported: 'Exported',
  sha256: 'SHA-256',
  copyHash: 'Copy',
  leftOut: (count: number) => `${plural(count, 'file was', 'files were')} left out because of their names`,
  nothingTitle: 'Nothing to export yet',
  nothingBody:
    'Once something is learned it can be given to others as one file. To bring in what others learned, import theirs.',
  explainImport:
    'Looking changes nothing: first see what a file would add, change and take away, then decide.',
  look: 'Look into it',
  looking: 'Reading the file',
  importing: 'Importing',
  archiveHolds: (learnings: number, files: number, size: string) =>
    `The file holds ${plural(learnings, 'learning', 'learnings')} in ${plural(files, 'file', 'files')}, ${size}.`,
  groups: { added: 'New', changed: 'Different here', missing: 'Only here', same: 'The same' },
  hints: {
    added: 'in the file and not here',
    changed: (conflicts: number) =>
      `a merge asks about ${formatCount(conflicts)} in the Inbox; replacing takes the file’s`,
    missing: 'a merge leaves these; replacing takes them away',
  },
  none: 'none',
  slot: 'slot',
  differs: (fields: string) => `differs in ${fields}`,
  firstOf: (shown: number, total: number) => `the first ${formatCount(shown)} of ${formatCount(total)}`,
  choose: 'What to do with it',
  modes: {
    restore: 'Restore',
    merge: 'Merge',
    force: 'Replace everything',
  },
  modeSays: {
    restore: 'Takes the file as it is; nothing is here yet.',
    merge: 'Adds what is new. Where both say different things, yours stays and the Inbox asks.',
    force: 'Takes the place of all that is here, after a backup of it.',
  },
  confirmTitle: 'Replace everything?',
  confirmBody: (removed: number, changed: number) =>
    `${plural(removed, 'learning or slot', 'learnings and slots')} will be gone and ${formatCount(changed)} will say something else. A backup is written first, and can be imported to come back.`,
  confirm: 'Back up and replace',
  advice: {
    'bad-archive': 'Ask whoever made it for a new export; this one is damaged or was changed on its way.',
    'bad-input': 'Give the whole path, from the root of the disk.',
    'not-found': 'Look whether the path is right; it is one of the machine Reflect runs on.',
    conflict: 'Nothing was changed. Look into the file again and choose anew.',
  },
  done: { restore: 'Restored', merge: 'Merged', force: 'Replaced' },
  outcome: (added: number, changed: number, removed: number, same: number) =>
    `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} taken away, ${formatCount(same)} the same`,
  mergeOutcome: (added: number, stayed: number, same: number) =>
    `${formatCount(added)} added, ${formatCount(stayed)} left as they are here, ${formatCount(same)} the same`,
  conflicts: (count: number) => `${plural(count, 'question', 'questions')} to decide in the Inbox`,
  backup: 'What was here before',
  keptFiles: 'Files that were no notes',
  files: (count: number) => plural(count, 'file', 'files'),
};
