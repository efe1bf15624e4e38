import { commandTable, LIST_COMMANDS } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

const choose = {
  row: 'Use the left, the right, or both, and go to the next field',
  hint: 'choose',
  inPalette: false,
} as const;
const chooseHere = { row: 'Use the left or the right', inPalette: false } as const;
const field = { row: 'Next or previous field', inPalette: false } as const;

export const inboxCommands = commandTable('inbox', pageNames.inbox, {
  ...LIST_COMMANDS,
  takeExisting: { title: 'Use the left', keys: ['1'], ...choose },
  takeIncoming: { title: 'Use the right', keys: ['2'], ...choose },
  takeBoth: { title: 'Use both', keys: ['3'], ...choose },
  decide: { title: 'Merge, keep or accept, then next', keys: ['Enter'], hint: 'decide' },
  merge: { title: 'Merge', synonyms: 'combine', keys: ['m'] },
  chooseExisting: { title: 'Choose the left', keys: ['ArrowLeft'], ...chooseHere },
  chooseIncoming: { title: 'Choose the right', keys: ['ArrowRight'], ...chooseHere },
  nextField: { title: 'Next field', keys: ['f'], ...field },
  previousField: { title: 'Previous field', keys: ['F'], ...field },
  edit: { title: 'Edit the result, or open the learning', synonyms: 'change', keys: ['e'] },
  keep: { title: 'Keep candidates', synonyms: 'accept yes', keys: ['y'], hint: 'keep' },
  mark: { title: 'Select a candidate', synonyms: 'mark', keys: ['x'], hint: 'select' },
  markAll: { title: 'Select all candidates', synonyms: 'mark', keys: ['X'] },
  unmark: { title: 'Clear the selection', synonyms: 'unmark', keys: ['Escape'] },
  dismiss: { title: 'Dismiss, or drop candidates', synonyms: 'discard close', keys: ['d'], hint: 'dismiss' },
  keepBoth: { title: 'Keep both', keys: ['b'], hint: 'keep both' },
  replace: { title: 'Replace the old one', keys: ['r'] },
  drop: { title: 'Archive or reject', synonyms: 'remove', keys: ['a'] },
  answer: { title: 'Answer a question', keys: ['n'] },
  lab: { title: 'Try it in the Recall lab', keys: ['l'] },
  checkAgain: { title: 'Check again', synonyms: 'refresh reload', keys: ['R'] },
  copyPath: { title: 'Copy the path of a file', synonyms: 'clipboard', keys: ['c'] },
});
