import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import type { ArchivePreview, Exported } from '#contract/archive.ts';
import { rescanDocuments } from '../knowledge/hand-edits.ts';
import {
  buildDatabase,
  countArchived,
  countBy,
  documentInSnapshot,
  estimateDatabase,
  type ExpectedFile,
  expectedFiles,
  openSnapshot,
  type Snapshot,
} from '../store/archive/snapshot.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { documentHash } from '../store/learnings/documents.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import type { Store } from '../store/learnings/write.ts';
import {
  DATABASE,
  type DocumentEntry,
  documentProblem,
  DOCUMENTS,
  isDocument,
  LIMITS,
  MANIFEST,
  renderManifest,
  SIGNATURE,
} from './layout.ts';
import { signManifest } from './keys.ts';
import { BLOCK, isTar, TarWriter } from './tar.ts';
import { fileStat, readBytes, UnreadableFile } from '../platform/read-file.ts';
import { inTurns, Turns } from '../platform/turns.ts';
import type { ArchiveParts, ReportProgress } from './archive-parts.ts';
import { sha256 } from '../platform/sha256.ts';

type LeftOut = Exported['leftOut'];

interface ExportOptions {
  /** Overwrite an existing file. */
  replace: boolean;
  /** With the own key; the bytes are still the same for the same knowledge. */
  sign?: boolean;
  report: ReportProgress;
}

/**
 * Writes the whole knowledge base into one file whose bytes depend on the knowledge alone. Rows are from one instant; a
 * file that changed since is rendered from its row of that instant. Only one document at a time is held in memory.
 */
export async function exportArchive(
  parts: ArchiveParts,
  path: string,
  { replace, sign = false, report }: ExportOptions,
): Promise<Exported & { version: number }> {
  checkTarget(path, replace);
  const { store, staging } = parts;
  flushOutbox(store.db, store.documents);
  await rescanDocuments(store, parts.signal);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const database = join(staging, `export-${randomUUID()}.db`);
  const unfinished = join(dirname(path), `.${randomUUID()}.tar.tmp`);
  // No await between these two, so that the files on disk are those of the snapshot.
  const onDisk = documentsOnDisk(store.documents);
  const snapshot = openSnapshot(store.db);
  try {
    const written = await writeArchive(parts, snapshot, onDisk.paths, { unfinished, database, sign, report });
    await rename(unfinished, path);
    return {
      path,
      ...written,
      leftOut: [...onDisk.leftOut, ...written.leftOut],
      version: knowledgeVersion(snapshot),
    };
  } finally {
    snapshot.close();
    await Promise.all([unfinished, database].map((file) => rm(file, { force: true })));
  }
}

function checkTarget(path: string, replace: boolean): void {
  if (!isAbsolute(path)) throw new DaemonError('bad-input', `the path must be absolute: ${path}`);
  if (!existsSync(dirname(path))) throw new DaemonError('not-found', `the folder ${dirname(path)}`);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there && !(replace && there.isFile())) throw new DaemonError('conflict', `${path} already exists`);
  // Otherwise a client, a page in a browser too, could overwrite any file of the person.
  if (there && there.size > 0 && !isTar(path))
    throw new DaemonError('conflict', `${path} is not an export, so it is not replaced; choose another name`);
}

interface Target {
  unfinished: string;
  database: string;
  sign: boolean;
  report: ReportProgress;
}

async function writeArchive(
  parts: ArchiveParts,
  snapshot: Snapshot,
  onDisk: string[],
  { unfinished, database, sign, report }: Target,
): Promise<Omit<Exported, 'path'>> {
  const file = await open(unfinished, 'wx', 0o600);
  try {
    const tar = new TarWriter(file);
    const { documents, hashes, leftOut } = await writeDocuments(parts, snapshot, onDisk, tar, report);
    const tables = await inTurns(buildDatabase(snapshot, database, hashes), parts.signal, {
      rests: false,
      onStep: ({ table, rows }) => report(`rows of ${table}`, rows, 0),
    });
    const manifest = renderManifest({ db_sha256: await hashOf(database), documents, tables });
    await tar.add(MANIFEST, Buffer.from(manifest));
    await tar.addStream(
      DATABASE,
      (await stat(database)).size,
      createReadStream(database) as AsyncIterable<Buffer>,
    );
    const signed = sign ? signManifest(parts.keys, manifest) : null;
    if (signed) await tar.add(SIGNATURE, Buffer.from(signed.signature));
    return {
      sha256: await tar.finish(),
      bytes: tar.bytes,
      documents: documents.length,
      tables,
      leftOut,
      signedBy: signed?.signedBy ?? null,
    };
  } finally {
    await file.close();
  }
}

const SLICE = 100; // files

interface WrittenDocuments {
  documents: DocumentEntry[];
  hashes: Map<string, string>;
  leftOut: LeftOut;
}

/** Writes every document in order of name. `hashes` holds those that differ from their rows. */
async function writeDocuments(
  { store, signal }: ArchiveParts,
  snapshot: Snapshot,
  onDisk: string[],
  tar: TarWriter,
  report: ReportProgress,
): Promise<WrittenDocuments> {
  const expected = new Map(expectedFiles(snapshot));
  const paths = [...new Set([...onDisk, ...expected.keys()])].toSorted(byName);
  const documents: DocumentEntry[] = [];
  const hashes = new Map<string, string>();
  const leftOut: LeftOut = [];
  const turns = new Turns(signal, { rests: false });
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === 0) {
      report('documents', index, paths.length);
      await turns.next();
    }
    const content = contentOf(store, snapshot, path, expected.get(path), hashes);
    if (content === null || content.length > LIMITS.documentBytes) {
      // A file that belongs to no learning may have been deleted meanwhile.
      if (sizeOf(store.documents, path) > LIMITS.documentBytes) leftOut.push({ path, why: 'is too large' });
      continue;
    }
    await tar.add(`${DOCUMENTS}${path}`, content);
    documents.push({ path, sha256: sha256(content) });
  }
  return { documents, hashes, leftOut };
}

/** The content to archive for a path; null for a file that belongs to no learning and was deleted since. */
function contentOf(
  store: Store,
  snapshot: Snapshot,
  path: string,
  expected: ExpectedFile | undefined,
  hashes: Map<string, string>,
): Buffer | null {
  const found = readIfThere(store.documents, path);
  if (!expected) return found;
  const half = path.endsWith('.md') ? 0 : 1;
  if (found && (expected.documentHash === null || expected.documentHash.split('.')[half] === textHash(found)))
    return found;
  const { markdown, sidecar } = documentInSnapshot(snapshot, expected.id);
  const content = Buffer.from(half === 0 ? markdown : sidecar);
  if (expected.documentHash !== null)
    hashes.set(
      expected.id,
      (hashes.get(expected.id) ?? expected.documentHash).split('.').with(half, textHash(content)).join('.'),
    );
  return content;
}

/** The hash that the store keeps of a file. */
const textHash = (content: Buffer) =>
  documentHash({ markdown: content.toString('utf8'), sidecar: null }).replace('.', '');

function readIfThere(folder: string, path: string): Buffer | null {
  try {
    return readBytes(join(folder, path), { largest: LIMITS.documentBytes, within: folder });
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** Every note in the folder with its entities; hidden ones too, because archived notes can be restored. */
function documentsOnDisk(folder: string): { paths: string[]; leftOut: LeftOut } {
  const leftOut: LeftOut = [];
  if (!existsSync(folder)) return { paths: [], leftOut };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isDocument(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const paths = files.filter((path) => {
    const why = documentProblem(path);
    if (why) leftOut.push({ path, why });
    return why === null;
  });
  return { paths, leftOut };
}

const sizeOf = (folder: string, path: string) => fileStat(join(folder, path))?.size ?? 0;
const byName = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Previews the content of an export without writing it. */
export function previewExport({ store: { db, documents } }: ArchiveParts): ArchivePreview {
  const { paths } = documentsOnDisk(documents);
  const inTar = paths.reduce(
    (sum, path) => sum + BLOCK + Math.ceil(sizeOf(documents, path) / BLOCK) * BLOCK,
    0,
  );
  const tables = countArchived(db);
  return {
    learnings: tables.learning ?? 0,
    documents: paths.length,
    bytes: inTar + paths.length * MANIFEST_LINE + estimateDatabase(db),
    projects: countBy(db, 'project'),
    categories: countBy(db, 'category'),
    statuses: countBy(db, 'status'),
    tables,
  };
}

const MANIFEST_LINE = 200; // bytes
