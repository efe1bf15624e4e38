import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveFile, writeDurably, writeFileAtomic } from '../../platform/files.ts';
import type { WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';
import type { Document } from './document-format.ts';
import { documentHash, isOneOf, keepAside, readDocument, sidecarPath } from './documents.ts';

export type OnStep = (step: string) => void;

interface Pending {
  seq: number;
  path: string;
  markdown: string;
  sidecar: string;
  /** Earlier paths of the note, as JSON. */
  oldPaths: string;
  /** Hashes of what we wrote there before, as JSON: only that may be overwritten. */
  replaces: string;
}

/**
 * Writes the files of every committed row that are still pending; at start this is the repair after a crash. A file
 * that cannot be written is flagged on its learning and tried again next time; the others are still written.
 */
export function flushOutbox(db: WritableDb, folder: string, step: OnStep = () => {}, most = -1): number {
  const pending = pendingIn(db, most).filter((entry) => !isWrittenAside(db, entry));
  for (const entry of pending) {
    try {
      writeDocument(db, folder, entry, step);
    } catch (error) {
      flag(db, entry, error);
    }
  }
  return pending.length;
}

/** Writes the same files side by side, without holding up other work: only renaming them does, for a moment. */
export async function flushOutboxAside(
  db: WritableDb,
  folder: string,
  step: OnStep = () => {},
): Promise<void> {
  const waiting = pendingIn(db, -1).filter((entry) => !isWrittenAside(db, entry));
  await Promise.all(waiting.map((entry) => writeAside(db, folder, entry, step)));
}

async function writeAside(db: WritableDb, folder: string, entry: Pending, step: OnStep): Promise<void> {
  const { seq, path, markdown, sidecar } = entry;
  const name = randomUUID(); // a newer text of the same note may be written beside this one
  const aside = (file: string) => `${file}.${name}.${process.pid}.tmp`;
  const [text, entities] = [aside(join(folder, path)), aside(join(folder, sidecarPath(path)))];
  const written = textOf(entry);
  db.writtenAside.set(seq, written);
  try {
    await Promise.all([writeDurably(text, markdown), writeDurably(entities, sidecar)]);
    // A note that changed meanwhile has newer files, or waits to have them.
    if (isPending(db, entry)) writeDocument(db, folder, entry, step, (file) => moveFile(aside(file), file));
  } catch (error) {
    flag(db, entry, error);
  } finally {
    if (db.writtenAside.get(seq) === written) db.writtenAside.delete(seq);
  }
  await Promise.all([rm(text, { force: true }), rm(entities, { force: true })]);
}

const textOf = ({ path, markdown, sidecar }: Pending) => [path, markdown, sidecar].join('\0');
const isWrittenAside = (db: WritableDb, entry: Pending) => db.writtenAside.get(entry.seq) === textOf(entry);

const pendingIn = (db: WritableDb, most: number): Pending[] =>
  db.rows<Pending>(
    'SELECT seq, path, markdown, sidecar, old_paths AS oldPaths, replaces FROM document_outbox ORDER BY seq LIMIT ?',
    most,
  );

const isPending = (db: WritableDb, { seq, path, markdown, sidecar }: Pending): boolean =>
  db.has('SELECT 1 FROM document_outbox WHERE seq = ? AND path = ? AND markdown = ? AND sidecar = ?', [
    seq,
    path,
    markdown,
    sidecar,
  ]);

function flag(db: WritableDb, { seq, path }: Pending, error: unknown): void {
  db.run('UPDATE learning SET document_problem = ? WHERE seq = ?', [
    `the file could not be written: ${(error as Error).message}`,
    seq,
  ]);
  db.changes.announce({ type: 'document.flagged', path });
}

function writeDocument(
  db: WritableDb,
  folder: string,
  { seq, path, markdown, sidecar, oldPaths, replaces }: Pending,
  step: OnStep,
  write: (file: string, text: string) => void = writeFileAtomic,
): void {
  const old = readStrings(oldPaths);
  const ours = [documentHash({ markdown, sidecar }), ...readStrings(replaces)];
  for (const place of [path, ...old]) keepForeign(db, folder, place, ours);
  const onDisk = readDocument(folder, path);
  // A correct file is not rewritten, because an editor that has it open would report a change.
  if (onDisk?.markdown !== markdown) write(join(folder, path), markdown);
  step('markdown written');
  if (onDisk?.sidecar !== sidecar) write(join(folder, sidecarPath(path)), sidecar);
  step('sidecar written');
  for (const place of old) removeDocument(folder, place);
  step('old files removed');
  db.transaction(() => {
    db.run('DELETE FROM document_outbox WHERE seq = ?', seq);
    const { changes } = db.run(
      'UPDATE learning SET document_problem = NULL WHERE seq = ? AND document_problem IS NOT NULL',
      seq,
    );
    if (changes > 0) db.changes.announce({ type: 'document.cleared', path });
  })();
  step('outbox emptied');
}

/** Moves aside what a person wrote and nobody has ingested; it is never overwritten. */
function keepForeign(db: WritableDb, folder: string, path: string, ours: string[]): void {
  const files = readDocument(folder, path);
  if (files && !isOneOf(files, ours))
    keepAside(db, folder, path, 'it was changed by hand while Reflect changed the same note');
}

function removeDocument(folder: string, path: string): void {
  for (const file of [path, sidecarPath(path)]) rmSync(join(folder, file), { force: true });
}

/** Adds to what is pending: a note moved twice before its files were written must leave neither old file behind. */
export function putInOutbox(
  db: WritableDb,
  seq: number,
  path: string,
  document: Document,
  known: Array<{ path: string; hash: string }>,
): void {
  const waiting = db.row<{ oldPaths: string; replaces: string }>(
    'SELECT old_paths AS oldPaths, replaces FROM document_outbox WHERE seq = ?',
    seq,
  );
  const oldPaths = new Set(
    [...readStrings(waiting?.oldPaths), ...known.map((document) => document.path)].filter(
      (old) => old !== path,
    ),
  );
  const replaces = new Set([...readStrings(waiting?.replaces), ...known.map(({ hash }) => hash)]);
  db.insert('OR REPLACE INTO document_outbox (seq, path, markdown, sidecar, old_paths, replaces)', {
    seq,
    path,
    ...document,
    oldPaths: [...oldPaths],
    replaces: [...replaces],
  });
}
