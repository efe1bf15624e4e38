import { join } from 'node:path';
import { Learning, type Note } from '#contract/entities.ts';
import { sha256 } from '../../platform/sha256.ts';

type Place = Pick<Note, 'project' | 'branch' | 'scope'>;

/**
 * `<project>/[branches/<branch>/]<id>.md`, relative to the documents folder; forgotten notes are below `.forgotten/`,
 * those of colleagues below `team/<space>/`.
 */
export function documentPath(id: string, note: Place & Pick<Note, 'status' | 'metadata'>): string {
  const forgotten = note.status === 'forgotten' ? '.forgotten' : '';
  return join(forgotten, teamFolder(note), folderOf(note), `${id}.md`);
}

/** Notes of a space, whose `colleague` reads `space/author`, have a folder of their own. */
function teamFolder({ metadata: { colleague } }: Pick<Note, 'metadata'>): string {
  const [, space] =
    typeof colleague === 'string' ? (/^([a-z0-9][a-z0-9-]{0,39})\//.exec(colleague) ?? []) : [];
  return space ? join('team', space) : '';
}

function folderOf({ project, branch, scope }: Place): string {
  if (scope === 'global' || project === '') return 'global';
  const safe = branch
    ?.toLowerCase()
    .replace(/[/\\: ]/g, '__')
    .replace(/[^a-z0-9._-]/g, '-')
    .replace(/^\.+/, '');
  return safe ? join(projectFolder(project), 'branches', short(safe)) : projectFolder(project);
}

export function projectFolder(project: string): string {
  return short(project.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'project');
}

const LONGEST = 100; // file systems allow 255 bytes; Windows far less for the whole path

function short(name: string): string {
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 9)}-${sha256(name).slice(0, 8)}`;
}

/** The id of a note whose file does not name it: the file name, as far as it is a valid id. */
export function idFromName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-.]+$/g, '');
  return Learning.shape.id.safeParse(slug).success ? slug : `note-${sha256(name).slice(0, 12)}`;
}

/** Readable first, then unique: the same lesson of the same project gets the same id on every machine. */
export function idFromWords(note: Note, digits = 6): string {
  const slug = note.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 48)
    .replace(/-$/, '');
  const words = [note.project, note.branch ?? '', note.title, note.rule, note.fix, note.body].join('\n');
  return `lrn-${slug || 'note'}-${sha256(words).slice(0, digits)}`;
}
