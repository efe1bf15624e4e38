import { formatCount, plural } from '../ui/format.ts';

export const inboxWords = {
  list: 'Decisions',
  decision: 'Decision',
  groups: {
    twins: 'Merge questions',
    contradictions: 'Learnings that seem to contradict each other',
    proposed: 'Proposed principles',
    speculative: 'Not confirmed yet',
    unvalidated: 'Not checked',
    broken: 'Files that cannot be read',
    skills: 'Skills that may be out of date',
    conventions: 'Conventions that could not be written',
    gaps: 'Questions without an answer',
  },
  doneTitle: 'Nothing needs you.',
  doneBody:
    'When two learnings say nearly the same, a note is only a guess, a file cannot be read, or an agent asks what nobody wrote down, it waits here.',
  capturedToday: (count: number) =>
    count === 0
      ? 'Nothing was captured today.'
      : `${plural(count, 'moment was', 'moments were')} captured today.`,
  seeCaptured: 'See what was captured',
  nothingLearned: 'Nothing was learned yet; agents that are connected are told what was.',
  similarity: (percent: string) => `${percent} alike`,
  existing: 'Known',
  incoming: 'New',
  both: 'Both',
  take: (field: string) => `Which ${field.toLowerCase()} to keep`,
  same: 'The rest is the same.',
  result: 'After merging',
  merge: 'Merge',
  keepBoth: 'Keep both',
  dismiss: 'Dismiss the new one',
  replace: 'Replace the old one',
  whichIsRight: 'Which one is right?',
  newIsRight: 'The new one',
  knownIsRight: 'The known one',
  bothHold: 'Both hold',
  editResult: 'edit the result',
  nextField: 'next field',
  merged: (title: string) => `Merged into “${title}”.`,
  keptBoth: 'Both are kept.',
  dismissed: 'The new one was dropped.',
  replaced: 'The new one took its place.',
  asked: (times: number, sessions: number) =>
    `asked ${plural(times, 'time', 'times')} in ${plural(sessions, 'session', 'sessions')}`,
  why: {
    proposed: 'Several learnings suggest this principle. It is recalled once you accept it.',
    speculative:
      'It was captured from a session that ended without a word about it. Recall ranks it lower until you confirm it.',
    unvalidated:
      'The writer left something out or wrote it wrongly. What could be kept is here; recall uses it meanwhile.',
    broken:
      'Recall goes on with the last good version. Put the file right in your editor, or open the learning and save it to write the file anew.',
  },
  problems: 'What was wrong',
  keep: { proposed: 'Accept', speculative: 'Keep', unvalidated: 'It is fine' },
  drop: { proposed: 'Reject', speculative: 'Archive', unvalidated: 'Archive', broken: 'Archive' },
  keptNote: (title: string) => `Kept “${title}”.`,
  archivedNote: (title: string) => `Archived “${title}”.`,
  rejectedNote: (title: string) => `Rejected “${title}”.`,
  checkAgain: 'Check again',
  checked: (count: number) =>
    count === 0 ? 'Checked again: nothing has changed.' : `Checked again: ${formatCount(count)} fixed.`,
  skillBody: {
    marked:
      'What it covers was changed or taken back, so agents are not offered it. Correct its file, or say that it is right.',
    outdated:
      'Something was learned about the same since it was written. Correct its file, or say that it is right.',
  },
  skillWhy: {
    marked: () => 'contradicted',
    outdated: (count: number) => plural(count, 'newer learning', 'newer learnings'),
  },
  skillOurs: 'Reflect wrote it, and someone has edited it since; it is not overwritten.',
  skillLearnings: 'What was learned since',
  skillIsRight: 'It is right',
  skillConfirmed: (name: string) => `“${name}” is right as it is.`,
  strayTitle: 'A file among the notes that is none',
  strayBody:
    'It is not recalled, and stays as it is. Put it right in your editor or take it away, then look again.',
  conventionsTitle: (project: string) => `Conventions of ${project}`,
  conventionsBody:
    'What is observed here has changed, and its document is older: writing it failed, or is switched off (REFLECT_CONVENTIONS). Agents are not led to it meanwhile.',
  conventionsWrite: 'Write it anew',
  conventionsWritten: (path: string) => `Written to ${path}.`,
  copyPath: 'Copy the path',
  gapTitle: 'Agents asked this and found no learning',
  gapBody:
    'Write the answer in a sentence and the next one who asks gets it. The Recall lab shows what came close.',
  answer: 'Answer it',
  answerLabel: 'What should be known about it',
  answerHint: 'The rule in one sentence; more may follow below it.',
  answerSave: 'Save the answer',
  closeGap: 'Not needed',
  gapClosed: 'Closed; it comes back when it is asked again.',
  gapAnswered: 'Written down; the question is closed.',
  tryInLab: 'Recall lab',
  openLearning: 'Open the learning',
  chooseOne: 'Choose a decision.',
};
