import { formatCount, plural } from '../ui/format.ts';

export const teamWords = {
  tabs: 'Export or import',
  tab: { export: 'Export', import: 'Import' },
  explainExport: 'Everything Reflect knows in one file: notes, history, relations, slots.',
  holds: (notes: number, files: number, size: string) =>
    `${plural(notes, 'note', 'notes')} in ${plural(files, 'file', 'files')}, about ${size}`,
  byProject: 'By project',
  byCategory: 'By category',
  byStatus: 'By status',
  everyProject: 'every project',
  andMore: (count: number) => `and ${formatCount(count)} more`,
  path: 'File path',
  chooseFile: 'Choose…',
  export: 'Export',
  exporting: 'Exporting',
  fileThere: 'This file already exists.',
  replaceFile: 'Replace it',
  exported: 'Exported',
  sha256: 'SHA-256',
  copyHash: 'Copy',
  leftOut: (count: number) => `${plural(count, 'file', 'files')} skipped because of their names`,
  nothingTitle: 'Nothing to export yet',
  nothingBody: 'Share learnings with others as one file once you have some, or import theirs.',
  explainImport:
    'An export of Reflect, or notes of another program: CLAUDE.md, Claude’s memory, basic-memory, claude-mem, any folder of Markdown. Nothing changes until you choose.',
  foreign: {
    counts: (fresh: number, twins: number, skipped: number, unreadable: number) =>
      `${formatCount(fresh)} new, ${formatCount(twins)} known, ${formatCount(skipped)} skipped, ${formatCount(unreadable)} unreadable`,
    fates: { new: 'new', twin: 'known', skipped: 'skipped', unreadable: 'unreadable' },
    columns: ['Result', 'Note', 'Project', 'From', 'Why'],
    project: 'Project for notes that name none',
    ofFolder: 'that of their folder',
    import: 'Import',
    importSays: 'The notes wait in the Inbox. Agents get what you keep.',
    keep: 'Import and keep',
    keepSays: 'They become learnings at once, and agents get them.',
    nothing: 'There is nothing new to import.',
    done: 'Imported',
    added: (count: number, kept: boolean) =>
      kept
        ? `${plural(count, 'learning', 'learnings')} added`
        : `${plural(count, 'candidate waits', 'candidates wait')} in the Inbox`,
    redactions: (count: number) =>
      `${plural(count, 'secret or private part', 'secrets and private parts')} removed`,
    undo: 'Undo the import',
  },
  preview: 'Preview',
  previewing: 'Reading the file',
  importing: 'Importing',
  archiveHolds: (notes: number, files: number, size: string) =>
    `The file holds ${plural(notes, 'note', 'notes')} in ${plural(files, 'file', 'files')}, ${size}.`,
  groups: { added: 'New', changed: 'Different', missing: 'Only here', same: 'The same' },
  hints: {
    added: 'in the file and not here',
    changed: (conflicts: number) =>
      `merging asks about ${formatCount(conflicts)} in the Inbox; replacing uses the version in the file`,
    missing: 'merging keeps them, replacing removes them',
  },
  none: 'none',
  slot: 'slot',
  differs: (fields: string) => `differs in ${fields}`,
  firstOf: (shown: number, total: number) => `the first ${formatCount(shown)} of ${formatCount(total)}`,
  choose: 'How to import',
  modes: {
    restore: 'Restore',
    merge: 'Merge',
    force: 'Replace everything',
  },
  trust: {
    mine: 'You made this export, so it is imported as it is.',
    known:
      'It is signed with a key you trust. Its notes are imported at once; its pinned texts wait in the Inbox.',
    foreign: 'Its notes wait in the Inbox. Agents get what you accept.',
  },
  isMine: 'I made this export: import it as it is',
  waiting: 'Review the notes in the Inbox',
  sign: 'Sign it; people who trust your key need not review it',
  signedBy: 'Signed with your key',
  modeSays: {
    restore: 'Imports the file into the empty knowledge base.',
    merge: 'Adds what is new. If both differ, yours stays and the Inbox asks.',
    force: 'Replaces all local content, after a backup.',
  },
  confirmTitle: 'Replace everything?',
  confirmBody: (removed: number, changed: number) =>
    `${plural(removed, 'learning or slot', 'learnings and slots')} will be removed and ${formatCount(changed)} replaced. A backup is written first; import it to go back.`,
  confirm: 'Back up and replace',
  advice: {
    'bad-archive': 'The file is damaged or was modified. Ask for a new export.',
    'bad-input': 'Enter the full path.',
    'not-found': 'Check the path. It must be on the machine Reflect runs on.',
    conflict: 'Nothing was changed. Preview the file again.',
  },
  done: { restore: 'Restored', merge: 'Merged', force: 'Replaced' },
  outcome: (added: number, changed: number, removed: number, same: number) =>
    `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed, ${formatCount(same)} the same`,
  mergeOutcome: (added: number, stayed: number, same: number) =>
    `${formatCount(added)} added, ${formatCount(stayed)} kept as they are, ${formatCount(same)} the same`,
  conflicts: (count: number) => `${plural(count, 'question', 'questions')} to decide in the Inbox`,
  backup: 'Backup of the previous content',
  keptFiles: 'Files that are not notes',
  files: (count: number) => plural(count, 'file', 'files'),
};
