import { formatCount, plural } from '../ui/format.ts';

export const learningsWords = {
  search: 'Search learnings',
  list: 'Learnings',
  count: (shown: number) => plural(shown, 'learning', 'learnings'),
  facets: {
    project: 'Project',
    branch: 'Branch',
    category: 'Category',
    tag: 'Tag',
    agent: 'Agent',
    confidence: 'Confidence',
    status: 'Status',
  },
  marked: 'marked',
  many: {
    label: 'Marked learnings',
    count: (count: number) => `${formatCount(count)} marked`,
    tag: 'Tag',
    move: 'Move',
    unmark: 'Unmark',
    apply: 'Apply',
    fields: { tag: 'Tags to add or take away', move: 'Project to move to' },
    hints: { tag: 'tag, another, -old takes one away', move: 'github.com/acme/shop' },
    archived: (count: number) => `Archived ${plural(count, 'learning', 'learnings')}.`,
    restored: (count: number) => `Restored ${plural(count, 'learning', 'learnings')}.`,
    tagged: (count: number) => `Tagged ${plural(count, 'learning', 'learnings')}.`,
    moved: (project: string) => (count: number) =>
      `Moved ${plural(count, 'learning', 'learnings')} to ${project}.`,
    nothing: 'They are so already; nothing was changed.',
  },
  clear: 'Clear filters',
  emptyTitle: 'Nothing learned yet',
  emptyBody:
    'When you correct a coding agent, Reflect writes the lesson down here and reminds the agent next time. It reads the transcripts your agents keep anyway.',
  emptyAction: 'See what is being watched',
  noMatchTitle: 'No learning matches',
  noMatchBody: 'Fewer words or fewer filters find more. The Recall lab shows how a question is answered.',
  detail: 'Learning',
  chooseOne: 'Choose a learning to read it.',
  edited: 'Saved.',
  archived: (title: string) => `Archived “${title}”.`,
  restored: (title: string) => `Restored “${title}”.`,
  archive: 'Archive',
  restore: 'Restore',
  copyRule: 'Copy rule',
  ruleCopied: 'The rule is in the clipboard.',
  confidence: 'Confidence',
  proofs: (count: number) => `seen ${plural(count, 'time', 'times')}`,
  speculative: 'not confirmed yet',
  global: 'every project',
  recalled: (count: number) =>
    count === 0 ? 'never recalled yet' : `recalled ${plural(count, 'time', 'times')}`,
  helped: (count: number) => `helped ${plural(count, 'time', 'times')}`,
  ignored: (count: number) => `ignored ${plural(count, 'time', 'times')}`,
  updated: (ago: string) => `updated ${ago}`,
  supersededBy: 'A newer learning stands in its place:',
  unverified: 'Could not be found in the repository:',
  brokenShort: 'file cannot be read',
  brokenTitle: 'The file of this learning cannot be read',
  brokenBody:
    'What you see is the last good version, and recall goes on using it. Put the file right in your editor, or save here to write it anew.',
};

export const fieldNames = {
  title: 'Title',
  rule: 'Rule',
  problem: 'Problem',
  rootCause: 'Root cause',
  fix: 'Fix',
  keyInsight: 'Key insight',
  summary: 'Summary',
  task: 'Task',
  keyMistake: 'Mistake',
  correctAction: 'What to do instead',
  guidance: 'Guidance',
  body: 'Notes',
  category: 'Category',
  type: 'Type',
  tags: 'Tags',
  confidence: 'Confidence',
  project: 'Project',
  branch: 'Branch',
  scope: 'Scope',
  status: 'Status',
};

export const statusNames = {
  active: 'active',
  proposed: 'proposed',
  superseded: 'superseded',
  reverted: 'reverted',
  rejected: 'rejected',
  archived: 'archived',
  forgotten: 'forgotten',
};

export const changeNames = {
  create: 'created',
  update: 'edited',
  prove: 'confirmed',
  archive: 'archived',
  restore: 'restored',
  supersede: 'superseded',
  revert: 'reverted',
  merge: 'merged',
  move: 'moved',
  undo: 'undone',
};

export const editWords = {
  title: 'Edit learning',
  tagsHint: 'separated by commas',
  scopes: { project: 'this project', global: 'every project' },
  needsTitle: 'A learning needs a title.',
  tooLong: (field: string, most: number) => `${field} is longer than ${formatCount(most)} characters.`,
  bodyMode: 'Notes as',
  conflictTitle: 'This learning changed while you were editing',
  conflictBody:
    'Here is what changed. Save yours over it, or take the newer version; the other one stays in the history.',
  keepMine: 'Save mine over it',
  takeTheirs: 'Take the newer one',
};

export const evidenceWords = {
  tab: 'Evidence',
  none: 'This learning was written by hand, so there is no transcript behind it.',
  agent: 'Agent',
  session: 'Session',
  transcript: 'Transcript',
  commit: 'Commit',
  captured: 'Captured',
  branch: 'Branch',
  quote: 'The words that triggered it',
  excerpt: 'From the transcript',
  trigger: 'this is what was learned from',
  unavailable: 'The transcript cannot be shown.',
  roles: {
    human: 'You',
    user: 'You',
    agent: 'Agent',
    assistant: 'Agent',
    tool: 'Tool',
    system: 'System',
  } as Record<string, string>,
};

export const historyWords = {
  tab: 'History',
  none: 'No change is recorded.',
  by: (actor: string) => `by ${actor}`,
  takenBack: 'taken back',
  restore: 'Undo this change',
  nothingShown: 'Nothing that can be shown as text changed.',
};

export const relatedWords = {
  tab: 'Related',
  none: 'No technology, error or tool is named in this learning.',
  entities: 'Names',
  relations: 'Relations',
  strength: (strength: number) => `strength ${strength} of 10`,
  until: (when: string) => `until ${when}`,
  since: (when: string) => `since ${when}`,
};

export const usesWords = {
  tab: 'Used by',
  none: 'No session has been given this learning yet. It is told when a session starts, with a prompt or before a tool, wherever it fits.',
  summary: (sessions: number, well: number, badly: number) =>
    [
      `given to ${plural(sessions, 'session', 'sessions')}`,
      well > 0 ? `${formatCount(well)} went well` : '',
      badly > 0 ? `${formatCount(badly)} went badly` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  via: { start: 'as it started', prompt: 'with a prompt', tool: 'before a tool', recall: 'when it asked' },
  outcomes: { pass: 'went well', fail: 'went badly', open: 'not judged' },
  unknownAgent: 'an agent',
};

export const promoteWords = {
  open: 'Make a skill',
  title: 'Make a skill of it',
  agent: 'For',
  agentLabel: (name: string, present: boolean) =>
    `${name === 'any' ? 'any agent (.agents)' : name}${present ? '' : ', not here yet'}`,
  preview: 'The file it becomes',
  taken: 'Somebody else’s file is there',
  takenAdvice: 'It is never overwritten. Give the learning another title, or move that file.',
  write: 'Write the skill',
  promoted: (name: string) => `Written as the skill “${name}”.`,
};
