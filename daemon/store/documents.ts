import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeFileAtomic } from '../platform/files.ts';
import type { ReadableDb, WritableDb } from './db.ts';

export type OnStep = (step: string) => void;

interface Pending {
  seq: number;
  path: string;
  markdown: string;
  sidecar: string;
  oldPath: string | null;
}

/** Writes the files of every row that was committed and not yet written; at start this is the repair after a crash. */
export function flushOutbox(db: WritableDb, folder: string, step: OnStep = () => {}): number {
  const pending = db.prepare<[], Pending>('SELECT seq, path, markdown, sidecar, old_path AS oldPath FROM document_outbox').all();
  for (const { seq, path, markdown, sidecar, oldPath } of pending) {
    writeFileAtomic(join(folder, path), markdown);
    step('markdown written');
    writeFileAtomic(join(folder, sidecarPath(path)), sidecar);
    step('sidecar written');
    if (oldPath) for (const old of [oldPath, sidecarPath(oldPath)]) rmSync(join(folder, old), { force: true });
    step('old files removed');
    db.prepare('DELETE FROM document_outbox WHERE seq = ?').run(seq);
    step('outbox emptied');
  }
  return pending.length;
}

export const sidecarPath = (markdownPath: string): string => markdownPath.replace(/\.md$/, '.entities.yaml');

export function readDocument(folder: string, path: string): { markdown: string; sidecar: string | null } | null {
  const file = join(folder, path);
  if (!existsSync(file)) return null;
  const sidecar = join(folder, sidecarPath(path));
  return { markdown: readFileSync(file, 'utf8'), sidecar: existsSync(sidecar) ? readFileSync(sidecar, 'utf8') : null };
}

/** Every note on disk, relative to the folder; what begins with a dot (`.forgotten`) is not among them. */
export function listDocuments(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(/[\\/]/).some((part) => part.startsWith('.')));
}

export interface KnownDocument {
  id: string;
  path: string;
  hash: string;
  status: string;
  problem: string | null;
}

export function knownDocuments(db: ReadableDb): KnownDocument[] {
  return db.prepare<[], KnownDocument>('SELECT id, document_path AS path, document_hash AS hash, status, document_problem AS problem FROM learning').all();
}

export function documentAt(db: ReadableDb, path: string): KnownDocument | undefined {
  return db.prepare<[string], KnownDocument>(
    'SELECT id, document_path AS path, document_hash AS hash, status, document_problem AS problem FROM learning WHERE document_path = ?').get(path);
}

export function flagDocument(db: WritableDb, id: string, problem: string | null): void {
  db.prepare('UPDATE learning SET document_problem = ? WHERE id = ?').run(problem, id);
}
