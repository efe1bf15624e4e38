import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { fileStat, readBytes, UnreadableFile } from '../platform/read-file.ts';
import { splitFrontMatter } from '../store/learnings/document-format.ts';
import { DocumentProblem } from '../store/learnings/document-yaml.ts';
import { type Fields, isFields } from '../transcripts/fields.ts';
import { type ForeignNote, type Found, Unreadable } from './importer.ts';

const LONGEST_FILE = 1024 * 1024; // bytes; a note a person would read is far shorter
const MOST_FILES = 50_000;
const NEVER_NOTES = new Set(['node_modules', '.git', '.trash', '.obsidian', '.kept', '.forgotten']);

/** True for a folder whose files are not notes, or no longer. */
export const holdsNoNotes = (folder: string): boolean => NEVER_NOTES.has(folder);

export const isFolder = (path: string): boolean => fileStat(path)?.isDirectory() ?? false;
export const isFile = (path: string): boolean => fileStat(path)?.isFile() ?? false;

/** The path itself if it is such a file, else all such files below it, by name. Links are not followed. */
function* filesIn(path: string, isWanted: (path: string) => boolean): Generator<string> {
  if (isFile(path)) {
    if (isWanted(path)) yield path;
    return;
  }
  let seen = 0;
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
    for (const entry of entries) {
      if (++seen > MOST_FILES)
        throw new DaemonError(
          'bad-input',
          `${path} has more than ${MOST_FILES} files; name a smaller folder`,
        );
      const below = join(folder, entry.name);
      if (entry.isDirectory() && !holdsNoNotes(entry.name)) folders.push(below);
      else if (entry.isFile() && isWanted(below)) yield below;
    }
  }
}

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdc)$/i.test(path);

/** The first few files that decide what kind of folder this is. */
export function firstFiles(path: string, isWanted: (path: string) => boolean, most = 200): string[] {
  const first: string[] = [];
  for (const file of filesIn(path, isWanted)) if (first.push(file) === most) break;
  return first;
}

export function readText(file: string): string {
  try {
    const text = readBytes(file, { largest: LONGEST_FILE }).toString('utf8');
    if (text.includes('\0')) throw new Unreadable('it is not text');
    return text;
  } catch (error) {
    if (error instanceof UnreadableFile) throw new Unreadable(`it ${error.why}`);
    throw error;
  }
}

export interface MarkdownFile {
  front: Fields;
  body: string;
  /** Its own title: of the front matter, the first heading, or the file's name. */
  title: string;
}

export const readMarkdown = (file: string): MarkdownFile => markdownOf(file, readText(file));

export function markdownOf(file: string, text: string): MarkdownFile {
  const { front, body } = splitFrontMatter(text);
  if (front !== null && !isFields(front)) throw new Unreadable('its front matter is not a list of fields');
  const fields = front ?? {};
  const heading = /^#\s+(.+?)\s*#*$/m.exec(body)?.[1];
  const named = typeof fields.title === 'string' && fields.title.trim() !== '' ? fields.title : undefined;
  return {
    front: fields,
    body: body.trim(),
    title:
      named ??
      heading ??
      basename(file)
        .replace(/\.[^.]+$/, '')
        .replaceAll(/[-_]+/g, ' '),
  };
}

/** The file as markdown; null if it cannot be read, for a look at what it is. */
export function peekMarkdown(file: string): MarkdownFile | null {
  try {
    return readMarkdown(file);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof DocumentProblem) return null;
    throw error;
  }
}

/** Runs the reading of one place; what cannot be read becomes its reason. */
export function* reading(source: string, read: () => Iterable<Found>): Generator<Found> {
  try {
    yield* read();
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof DocumentProblem || error instanceof SyntaxError))
      throw error;
    yield { source, problem: error.message };
  }
}

/** The name of a file as a person knows it: relative to the folder they named. */
const nameIn = (root: string, file: string): string => relative(root, file) || basename(file);

/** Everything found in such files, one file after another. */
export function* inFiles(
  path: string,
  isWanted: (path: string) => boolean,
  read: (file: string, source: string) => Iterable<Found>,
): Generator<Found> {
  for (const file of filesIn(path, isWanted)) {
    const source = nameIn(path, file);
    yield* reading(source, () => read(file, source));
  }
}

/** Every markdown file as a note of its own. */
export const markdownNotes = (path: string, noteFrom: (file: MarkdownFile) => ForeignNote): Iterable<Found> =>
  inFiles(path, isMarkdown, (file, source) => [{ source, ...noteFrom(readMarkdown(file)) }]);
