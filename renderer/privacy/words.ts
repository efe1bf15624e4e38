import { plural } from '../ui/format.ts';
import type { Deletion } from './deletion.ts';

const BACKUPS = 'Earlier backups are deleted and replaced by a new one without it.';
const STAYS = 'Transcripts, skills and exports stay.';

const nameOfRule = (rule: string): string =>
  rule.replace(/^project:/, 'Project ').replace(/^agent:/, 'Agent ');

export const privacyWords = {
  menu: 'More',
  commands: 'Delete and ignore',
  delete: {
    learning: 'Delete permanently…',
    session: 'Delete session permanently…',
    project: 'Delete project permanently…',
  },
  ignore: 'Ignore this project…',
  title: {
    learning: 'Delete this learning permanently?',
    session: 'Delete this session permanently?',
    project: 'Delete this project permanently?',
  },
  goes: ({ kind, name, learnings }: Deletion) =>
    ({
      learning: `“${name}”, its history, evidence, note file and search entries.`,
      session: `Everything captured from session ${name}: moments, the learnings made from them, their history and note files.`,
      project: `Everything about ${name}: ${plural(learnings ?? 0, 'learning', 'learnings')}, candidates, moments, history, slots and note files.`,
    })[kind],
  consequences: [BACKUPS, STAYS],
  cannotUndo: 'This cannot be undone.',
  confirm: 'Delete permanently',
  deleted: (learnings: number, moments: number) =>
    `Deleted ${plural(learnings, 'learning', 'learnings')} and ${plural(moments, 'moment', 'moments')}.`,
  ignoreTitle: 'Ignore this project?',
  ignoreSays: (project: string) =>
    `Reflect stops reading, recording and injecting in ${project}, in every clone.`,
  alsoDelete: 'Also delete everything about it permanently',
  confirmIgnore: 'Ignore project',
  ignored: (project: string) => `Ignored ${project}.`,
  list: {
    title: 'Ignored',
    explain:
      'Reflect reads, records and injects nothing there. To ignore a project, use the menu of a learning or session. To ignore a folder or an agent, use `reflect ignore` or a `.reflectignore` file.',
    none: 'Nothing is ignored.',
    rule: nameOfRule,
    readAgain: 'Stop ignoring',
    readAgainSays: (rule: string, notices: readonly string[]) =>
      [`No longer ignored: ${nameOfRule(rule)}.`, ...notices].join(' '),
  },
};
