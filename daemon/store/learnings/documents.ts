import type { Inbox } from '#contract/distill.ts';
import { type Dirent, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { moveFile } from '../../platform/files.ts';
import { fileStat, readTextIfExists } from '../../platform/read-file.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import type { DocumentFiles } from './document-format.ts';
import { readStrings } from '../persisted-json.ts';
import { sha256 } from '../../platform/sha256.ts';
import { slices } from '../../platform/slices.ts';

const KEPT = '.kept';

/** Moves a note's files below `.kept/` and lists them with the reason among the problems a person sees. */
export function keepAside(db: WritableDb, folder: string, path: string, reason: string): void {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const kept = join(KEPT, `${basename(path, '.md')}-${stamp}.md`);
  mkdirSync(join(folder, KEPT), { recursive: true, mode: 0o700 });
  for (const [from, to] of [
    [path, kept],
    [sidecarPath(path), sidecarPath(kept)],
  ] as const) {
    if (existsSync(join(folder, from))) moveFile(join(folder, from), join(folder, to));
  }
  recordStrayFile(db, kept, `${reason}; the hand-edited version of ${path} is kept here`);
}

export const sidecarPath = (markdownPath: string): string => markdownPath.replace(/\.md$/, '.entities.yaml');

/** No note is nearly as long; an archive holds none that is longer. */
export const LARGEST_DOCUMENT = 16 * 1024 * 1024; // bytes

/** Null without such a note. Throws `UnreadableFile` for what is no file, too large, or a link that leads elsewhere. */
export function readDocument(folder: string, path: string): DocumentFiles | null {
  const read = (file: string) =>
    readTextIfExists(join(folder, file), { largest: LARGEST_DOCUMENT, within: folder });
  const markdown = read(path);
  return markdown === null ? null : { markdown, sidecar: read(sidecarPath(path)) };
}

const sha = (text: string) => sha256(text).slice(0, 24);

/** One hash per file: a crash between the two writes leaves one new and one old, and both are ours. */
export function documentHash({ markdown, sidecar }: DocumentFiles): string {
  return `${sha(markdown)}.${sidecar === null ? '' : sha(sidecar)}`;
}

/** True when each file matches one of these versions; a missing sidecar cannot lose anything. */
export function isOneOf(files: DocumentFiles, hashes: string[]): boolean {
  const known = hashes.map((hash) => hash.split('.'));
  const [markdown, sidecar] = documentHash(files).split('.');
  return (
    known.some(([one]) => one === markdown) &&
    (files.sidecar === null || known.some(([, other]) => other === sidecar))
  );
}

/** Paths of all notes on disk, relative to the folder, without folders that begin with a dot. */
export const listDocuments = (folder: string): string[] => [...documentsBelow(folder)].flat();

/** The same, one folder after another: listing 10 000 notes at once would keep everybody waiting. */
export function* documentsBelow(folder: string): Generator<string[]> {
  for (const below = ['']; below.length > 0;) {
    const at = below.pop() ?? '';
    if (!existsSync(join(folder, at))) continue;
    const entries = readdirSync(join(folder, at), { withFileTypes: true }).filter(({ name }) =>
      isVisible(name),
    );
    const paths = (which: Dirent[]) => which.map(({ name }) => join(at, name));
    below.push(...paths(entries.filter((entry) => entry.isDirectory())));
    yield paths(entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md')));
  }
}

export const isVisible = (path: string): boolean => !path.split(/[\\/]/).some((part) => part.startsWith('.'));

export interface KnownDocument {
  seq: number;
  id: string;
  path: string;
  hash: string;
  status: string;
  problem: string | null;
  /** Times and sizes of the files when they were last read, see `statOf`. */
  stat: string | null;
  /** Hashes that a pending write may find on disk, as JSON. */
  replaces: string | null;
}

const KNOWN = `
  SELECT seq, id, document_path AS path, document_hash AS hash, status, document_problem AS problem, document_stat AS stat, replaces
  FROM learning LEFT JOIN document_outbox USING (seq)`;

export const knownDocuments = (db: ReadableDb): KnownDocument[] => [...knownInSlices(db)].flat();

const SLICE = 1_000; // rows

/** The same, some at a time: reading 10 000 at once would keep everybody waiting. */
export function* knownInSlices(db: ReadableDb): Generator<KnownDocument[]> {
  const next = db.prepare<[number, number], KnownDocument>(`${KNOWN} WHERE seq > ? ORDER BY seq LIMIT ?`);
  yield* slices<KnownDocument>((last) => next.all(last?.seq ?? 0, SLICE));
}

export function documentAt(db: ReadableDb, path: string): KnownDocument | undefined {
  return db.row<KnownDocument>(`${KNOWN} WHERE document_path = ?`, path);
}

export function documentOf(db: ReadableDb, id: string): KnownDocument | undefined {
  return db.row<KnownDocument>(`${KNOWN} WHERE id = ?`, id);
}

/** True when the files on disk are what we wrote, or what a pending write replaces. */
export function isOurs({ hash, replaces }: KnownDocument, files: DocumentFiles): boolean {
  return isOneOf(files, [hash, ...readStrings(replaces)]);
}

export function flagDocument(db: WritableDb, { id, path }: KnownDocument, problem: string | null): void {
  const { changes } = db.run(
    'UPDATE learning SET document_problem = :problem WHERE id = :id AND document_problem IS NOT :problem',
    { id, problem },
  );
  if (changes > 0)
    db.changes.announce({ type: problem === null ? 'document.cleared' : 'document.flagged', path });
}

/** Changes with every write to the files and every replacement of them, whatever their dates say. */
export function statOf(folder: string, path: string): string {
  return [path, sidecarPath(path)]
    .map((file) => {
      const stat = fileStat(join(folder, file));
      return stat ? `${stat.ctimeMs}/${stat.size}/${stat.ino}` : '';
    })
    .join(' ');
}

/** Records the files as read, so that the next rescan can skip them. */
export function rememberStats(db: WritableDb, stats: ReadonlyMap<string, string>): void {
  const remember = db.prepare('UPDATE learning SET document_stat = ? WHERE document_path = ?');
  db.transaction(() => stats.forEach((stat, path) => remember.run(stat, path)))();
}

/** Accepts a file that differs only in spacing, order or comments: it stays as the person wrote it. */
export function acknowledgeDocument(db: WritableDb, id: string, files: DocumentFiles): void {
  db.run('UPDATE learning SET document_hash = ?, document_problem = NULL WHERE id = ?', [
    documentHash(files),
    id,
  ]);
}

type StrayDocument = Inbox['strays'][number];

/** Records a file that belongs to no learning, with the reason; true when it was not known before. */
export function recordStrayFile(db: WritableDb, path: string, problem: string): boolean {
  const { changes } = db.run(
    `INSERT INTO stray_document (path, problem) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET problem = excluded.problem WHERE problem <> excluded.problem`,
    [path, problem],
  );
  if (changes > 0) db.changes.announce({ type: 'document.flagged', path });
  return changes > 0;
}

export function clearStray(db: WritableDb, path: string): void {
  const { changes } = db.run('DELETE FROM stray_document WHERE path = ?', path);
  if (changes > 0) db.changes.announce({ type: 'document.cleared', path });
}

export function listStrays(db: ReadableDb): StrayDocument[] {
  return db.rows<StrayDocument>('SELECT path, problem FROM stray_document ORDER BY path');
}
