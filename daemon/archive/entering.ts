import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Note } from '#contract/entities.ts';
import { moveFile, syncFile, writeDurably } from '../platform/files.ts';
import { redactAll } from '../privacy/redact.ts';
import type { StagedLearning } from '../store/archive/ingest.ts';
import type { ReadableDb } from '../store/db.ts';
import { type DocumentFiles, normaliseNote, renderDocument } from '../store/learnings/document-format.ts';
import { documentPath } from '../store/learnings/document-path.ts';
import { readDocument, sidecarPath } from '../store/learnings/documents.ts';
import { foreignNote, differingFields } from '../store/learnings/foreign.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { otherVersion } from './other-version.ts';
import type { FoundDocument } from '../store/learnings/write-row.ts';

/**
 * Whose archive it is: one's own comes in as it is; a colleague's, whose key is known, loses secrets, certainty and
 * reach; any other also waits for a person.
 */
export type Trust = 'mine' | 'known' | 'foreign';

export interface Source {
  trust: Trust;
  /** The name of the archive. */
  from: string;
  /** The folder it was unpacked into. */
  folder: string;
}

/** A note of an archive on its way in. Its files are on disk already, so that they only have to be moved into place. */
export interface Entering {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
  /** The learning here that says the same in other words, or null for a new one. */
  differsFrom: string | null;
  reason: string;
  files: { place: string; from: string; content: DocumentFiles } | null;
}

/** The note as it may enter, or null where nothing has to enter: it is here, or the same question was asked before. */
export async function entering(
  db: ReadableDb,
  source: Source,
  { note: theirs, id, ...staged }: StagedLearning,
): Promise<Entering | null> {
  const ours = findLearning(db, id);
  const note = normaliseNote(source.trust === 'mine' ? theirs : foreign(theirs, source));
  const { createdAt, updatedAt } = staged;
  if (ours === null) {
    const added = { id, note, createdAt, updatedAt };
    const isAsIs = source.trust === 'mine';
    const files = await (isAsIs ? original(source, note, { id, ...staged }) : rendered(source, added));
    return { ...added, differsFrom: null, reason: `it was in ${source.from}`, files };
  }
  if (source.trust !== 'mine' && differingFields(noteOf(ours), note).length === 0) return null;
  const other = otherVersion(
    db,
    { id, note: { ...note, status: theirs.status }, createdAt, updatedAt },
    source.from,
  );
  return other && { ...other, differsFrom: id, files: await rendered(source, other) };
}

/** Files that a person broke are written again. */
async function original(
  { folder }: Source,
  note: Note,
  { id, path, problem }: Pick<StagedLearning, 'id' | 'path' | 'problem'>,
): Promise<Entering['files']> {
  const documents = join(folder, 'documents');
  const from = join(documents, path);
  const content = problem === null ? readDocument(documents, path) : null;
  if (!content) return null;
  await Promise.all([syncFile(from), syncFile(sidecarPath(from))]);
  return { place: documentPath(id, note), from, content };
}

async function rendered(
  { folder }: Source,
  { id, note, ...dates }: Pick<Entering, 'id' | 'note' | 'createdAt' | 'updatedAt'>,
): Promise<Entering['files']> {
  const place = documentPath(id, note);
  const from = join(folder, 'entering', place);
  const content = renderDocument({ ...note, id, ...dates });
  await Promise.all([writeDurably(from, content.markdown), writeDurably(sidecarPath(from), content.sidecar)]);
  return { place, from, content };
}

export const foundIn = ({ files }: Entering): FoundDocument | undefined =>
  files ? { path: files.place, files: files.content, complete: true } : undefined;

/** Writing them again would take ten times as long. */
export function moveIntoPlace({ files }: Entering, documents: string): void {
  if (!files) return;
  const to = join(documents, files.place);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  for (const [source, target] of [
    [files.from, to],
    [sidecarPath(files.from), sidecarPath(to)],
  ] as const)
    if (!existsSync(target)) moveFile(source, target);
}

/**
 * A note as it may come in: redacted, little believed, and held in the Inbox if its key is unknown. One without a
 * project would hold in every one, so it waits for a person whoever signed it.
 */
function foreign(note: Note, { trust, from }: Source): Note {
  const entering = foreignNote(redactAll(note, {}), 'proposed');
  const status = trust === 'known' && note.project !== '' ? note.status : entering.status;
  return { ...entering, status, metadata: { ...entering.metadata, imported: from } };
}
