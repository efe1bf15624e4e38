import type { SessionUse } from '#contract/sessions.ts';
import { agentName } from '../ui/agent-names.ts';
import { formatCount, plural, projectName, signalName } from '../ui/format.ts';
import { commonWords } from '../ui/words.ts';

export const newLearningWords = {
  open: 'New',
  title: 'New learning',
  rule: 'Rule, in one sentence',
  example: 'Regenerate the gRPC clients after editing a .proto file',
  why: 'Why (optional)',
  project: 'Applies to',
  everywhere: 'Every project',
  save: 'Save learning',
  created: 'Learning saved.',
  needsTitle: 'Write the rule in one sentence.',
};

export const learningsWords = {
  from: (colleague: string) => `from ${colleague}`,
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
  copyMarkdown: 'Copy as Markdown',
  markdownCopied: 'Copied as Markdown.',
  share: 'Share',
  pin: 'Pin',
  pinned: (slot: string) => `Pinned to “${slot}”: every session of the project starts with it.`,
  wrong: 'Wrong capture',
  wrongSaid: 'Dismissed the moment and archived the learning.',
  sure: (share: string) => `${share} confidence`,
  marked: 'selected',
  many: {
    label: 'Selected learnings',
    count: (count: number) => `${formatCount(count)} selected`,
    tag: 'Tag',
    move: 'Move',
    unmark: 'Clear the selection',
    apply: 'Apply',
    fields: { tag: 'Tags to add or remove', move: 'Project to move to' },
    hints: { tag: 'tag, another, -remove', move: 'github.com/acme/shop' },
    archived: (count: number) => `Archived ${plural(count, 'learning', 'learnings')}.`,
    restored: (count: number) => `Restored ${plural(count, 'learning', 'learnings')}.`,
    tagged: (count: number) => `Tagged ${plural(count, 'learning', 'learnings')}.`,
    moved: (project: string) => (count: number) =>
      `Moved ${plural(count, 'learning', 'learnings')} to ${project}.`,
    nothing: 'No changes needed.',
  },
  clear: 'Clear filters',
  saved: {
    filters: 'Saved filters',
    save: 'Save this filter',
    remove: 'Remove this saved filter',
    done: (name: string) => `Saved the filter ${name}.`,
    removed: (name: string) => `Removed the filter ${name}.`,
  },
  readingTitle: 'Reading your older sessions',
  readingBody: 'Lessons found there wait in the Inbox until you keep them.',
  waitingTitle: (count: number) => `${plural(count, 'lesson waits', 'lessons wait')} for you`,
  waitingBody: 'Found in your sessions. Agents get what you keep.',
  openInbox: 'Open the Inbox',
  emptyTitle: 'Nothing learned yet',
  emptyBody: 'Correct a coding agent, and Reflect saves the lesson here and reminds the agent next time.',
  noMatchTitle: 'No learning matches',
  noMatchBody: 'Try fewer words or filters. The Recall lab shows how a question is answered.',
  detail: 'Learning',
  chooseOne: 'Select a learning to read it.',
  noneSelected: 'No learning selected',
  edited: 'Saved.',
  archived: (title: string) => `Archived “${title}”.`,
  restored: (title: string) => `Restored “${title}”.`,
  archive: 'Archive',
  restore: 'Restore',
  copyRule: 'Copy rule',
  ruleCopied: 'Rule copied.',
  confidence: 'Confidence',
  proofs: (count: number) => `seen ${plural(count, 'time', 'times')}`,
  speculative: 'unconfirmed',
  global: 'every project',
  recalled: (count: number) =>
    count === 0 ? 'never recalled' : `recalled ${plural(count, 'time', 'times')}`,
  helped: (count: number) => `helped ${plural(count, 'time', 'times')}`,
  ignored: (count: number) => `ignored ${plural(count, 'time', 'times')}`,
  updated: (ago: string) => `updated ${ago}`,
  supersededBy: 'Superseded by:',
  unverified: 'Not found in the repository:',
  brokenShort: 'file cannot be read',
  brokenTitle: 'The file of this learning cannot be read',
  brokenBody:
    'This is the last good version, which recall still uses. Fix the file in your editor, or save here to rewrite it.',
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
  speculative: 'Unconfirmed',
};

export const statusNames = {
  active: 'active',
  candidate: 'candidate',
  proposed: 'proposed',
  superseded: 'superseded',
  reverted: 'reverted',
  rejected: 'rejected',
  archived: 'archived',
  forgotten: 'forgotten',
};

export const editWords = {
  title: 'Edit learning',
  tagsHint: 'separated by commas',
  scopes: { project: 'this project', global: 'every project' },
  yes: 'yes',
  no: 'no',
  needsTitle: 'A title is required.',
  tooLong: (field: string, most: number) => `${field} is longer than ${formatCount(most)} characters.`,
  bodyMode: 'Notes as',
  conflictTitle: 'This learning changed while you were editing',
  conflictBody:
    'This is what changed. Overwrite it with yours, or use the newer version. The other one stays in the history.',
  keepMine: 'Overwrite with mine',
  takeTheirs: 'Use the newer version',
};

export const evidenceWords = {
  tab: 'Evidence',
  none: 'This learning was written by hand, so it has no transcript.',
  fromColleague: (who: string) => `Published by ${who}. The transcript stays on their machine.`,
  agent: 'Agent',
  openSession: 'Show it in its session',
  /** Why it exists, by the type of the lesson. */
  because: {
    correction: 'Captured automatically: you corrected the agent.',
    preference: 'Captured automatically: you told the agent what you prefer.',
    policy: 'Captured automatically: you stated a rule.',
    decision: 'Captured automatically: you decided between options.',
    'bug-fix': 'Captured automatically: a failure was fixed.',
    gotcha: 'Captured automatically: the agent found out why something failed.',
    process: 'Captured automatically: this is how work is done here.',
    experience: 'Captured automatically: the agent finished a task.',
  } as Record<string, string | undefined>,
  session: 'Session',
  commit: 'Commit',
  captured: 'Captured',
  branch: 'Branch',
  quote: 'What triggered it',
  excerpt: 'From the transcript',
  trigger: 'source of this learning',
  unavailable: 'The transcript is not available.',
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
  none: 'No changes recorded.',
  by: (actor: string) =>
    ['person', 'hand'].includes(actor)
      ? 'by you'
      : ['heuristic', 'capture', 'upkeep'].includes(actor)
        ? 'automatically'
        : `by ${actor}`,
  /** The names of signals are the only words in a reason that nobody would say. */
  reason: (reason: string) =>
    reason.replace(/^noticed by /, 'noticed as ').replace(/\bsignal\.[\w-]+/g, (id) => `“${signalName(id)}”`),
  undone: 'undone',
  restore: 'Undo this change',
  nothingShown: 'No visible text changed.',
};

export const relatedWords = {
  tab: 'Related',
  none: 'This learning mentions no technology, error or tool.',
  entities: 'Names',
  relations: 'Relations',
  strength: (strength: number) => `strength ${strength} of 10`,
  until: (when: string) => `until ${when}`,
  since: (when: string) => `since ${when}`,
};

/** Where a note holds, in a word; a list whose projects have like names gives its own names for them. */
export const placeOf = (
  { scope, project }: { scope: string; project: string },
  nameOf: (project: string) => string = projectName,
): string => (scope === 'global' ? learningsWords.global : nameOf(project) || commonWords.noProject);

const MATCHED_SHOWN = 5;

export const usesWords = {
  tab: 'Used by',
  none: 'Not injected into any session yet. It is injected when relevant: at session start, with a prompt or before a tool.',
  summary: (sessions: number, well: number, badly: number) =>
    [
      `injected into ${plural(sessions, 'session', 'sessions')}`,
      well > 0 ? `helped in ${formatCount(well)}` : '',
      badly > 0 ? `didn’t help in ${formatCount(badly)}` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  via: { start: 'at session start', prompt: 'with a prompt', tool: 'before a tool', recall: 'on request' },
  /** Why it was injected: the words that the run itself matched. */
  reason: ({ via, matched }: Pick<SessionUse, 'via' | 'matched'>) => {
    const how = usesWords.via[via];
    if (matched === null) return how;
    return matched.length > 0
      ? `${how}: matched ${matched
          .slice(0, MATCHED_SHOWN)
          .map((word) => `“${word}”`)
          .join(', ')} in ${usesWords.asked[via]}`
      : `${how}: close in meaning to ${usesWords.asked[via]}`;
  },
  asked: {
    start: 'the project, branch and last commits',
    prompt: 'your prompt',
    tool: 'the command',
    recall: 'the agent’s question',
  },
  outcomes: { pass: 'helped', fail: 'didn’t help', open: 'not judged' },
  unknownAgent: 'an agent',
  untitled: 'A session without a prompt',
};

export const promoteWords = {
  open: 'Promote to skill',
  title: 'Promote to skill',
  agent: 'For',
  agentLabel: (name: string, present: boolean) =>
    `${name === 'any' ? 'any agent (.agents)' : agentName(name)}${present ? '' : ' (not installed)'}`,
  preview: 'Preview of the skill file',
  taken: 'Another file already exists there',
  takenAdvice: 'Reflect does not overwrite it. Rename the learning or move the file.',
  write: 'Create skill',
  promoted: (name: string) => `Created the skill “${name}”.`,
};
