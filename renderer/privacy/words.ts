import { plural } from '../ui/format.ts';
import type { Deletion } from './deletion.ts';

const BACKUPS = 'Earlier backups are deleted and replaced by a new one without it.';
const STAYS = 'Transcripts of your agents, and skills and exports you made, stay.';

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
      project: `Everything known of ${name}: ${plural(learnings ?? 0, 'learning', 'learnings')}, candidates, moments, history, slots and note files.`,
    })[kind],
  consequences: [BACKUPS, STAYS],
  cannotUndo: 'This cannot be undone.',
  confirm: 'Delete permanently',
  deleted: (learnings: number, moments: number) =>
    `Deleted ${plural(learnings, 'learning', 'learnings')} and ${plural(moments, 'moment', 'moments')}.`,
  ignoreTitle: 'Ignore this project?',
  ignoreSays: (project: string) =>
    `From now on nothing is read, recorded or injected in ${project}, in any clone of it.`,
  alsoDelete: 'Also delete permanently what is known of it',
  confirmIgnore: 'Ignore project',
  ignored: (project: string) => `Ignored ${project}.`,
  list: {
    title: 'Ignored',
    explain:
      'Nothing is read, recorded or injected there. Ignore a project from the menu of a learning or session, a folder or an agent with `reflect ignore`, or a repository with a `.reflectignore` file.',
    none: 'Nothing is ignored.',
    rule: (rule: string) => rule.replace(/^project:/, 'Project ').replace(/^agent:/, 'Agent '),
    readAgain: 'Read again',
    readAgainSays: (rule: string) => `${rule} is read again from now on.`,
  },
};
