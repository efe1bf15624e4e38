import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { openHandle, UnreadableFile } from '../platform/read-file.ts';
import { inTurns } from '../platform/turns.ts';
import { refused } from '../store/archive/schema.ts';
import { stageDatabase } from '../store/archive/stage.ts';
import type { CheckedArchive, ReportProgress, Unpacked } from './archive-parts.ts';
import { signerOf } from './keys.ts';
import {
  DATABASE,
  documentProblem,
  DOCUMENTS,
  type Limits,
  LIMITS,
  MANIFEST,
  type Manifest,
  parseManifest,
  SIGNATURE,
} from './layout.ts';
import { type Member, readTar } from './tar.ts';
import { sha256 } from '../platform/sha256.ts';

/** Unpacks an archive into a folder of ours and checks all of it; one that is not as Reflect writes it is refused. */
export async function checkArchive(
  path: string,
  folder: string,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<CheckedArchive> {
  const unpacked = await unpack(path, folder, report);
  const file = stagedIn(folder);
  const claims = { tables: unpacked.manifest.tables, documents: unpacked.documents };
  const { version } = await inTurns(stageDatabase(unpacked.database, file, claims), signal, {
    rests: false,
    onStep: ({ table, rows }) => report(`checking ${table}`, rows, claims.tables[table] ?? 0),
  });
  return { ...unpacked, file, version };
}

export const stagedIn = (folder: string): string => join(folder, 'staged.db');

/** Unpacks an archive into a new folder. What an export cannot contain is refused, with its name and the reason. */
export async function unpack(
  archive: string,
  folder: string,
  report: ReportProgress,
  limits: Limits = LIMITS,
): Promise<Unpacked> {
  const file = await openFile(archive);
  try {
    const { size } = await file.stat();
    const places = { documents: join(folder, 'documents'), database: join(folder, 'untrusted.db') };
    mkdirSync(places.documents, { recursive: true, mode: 0o700 });
    const found = await layOut(file, places, limits, (done) => report('unpacking', done, size));
    const manifest = checkManifest(found);
    const signedBy = found.signature === null ? null : signerOf(found.manifest ?? '', found.signature);
    return { bytes: size, ...places, manifest, signedBy };
  } finally {
    await file.close();
  }
}

async function openFile(archive: string): Promise<FileHandle> {
  if (!isAbsolute(archive)) throw new DaemonError('bad-input', `the path must be absolute: ${archive}`);
  return openHandle(archive).catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error;
    throw error.isMissing ? new DaemonError('not-found', `the file ${archive}`) : refused(error.message);
  });
}

interface Found {
  documents: Map<string, string>;
  manifest: string | null;
  signature: string | null;
  databaseHash: string | null;
}

type Places = Pick<Unpacked, 'documents' | 'database'>;

async function layOut(
  file: FileHandle,
  places: Places,
  limits: Limits,
  report: (done: number) => void,
): Promise<Found> {
  const found: Found = { documents: new Map(), manifest: null, signature: null, databaseHash: null };
  const batch: Array<[path: string, content: Buffer]> = [];
  let done = 0;
  for await (const member of readTar(file)) {
    if (member.name === MANIFEST)
      found.manifest = (await whole(once(member, found.manifest), limits.manifestBytes)).toString('utf8');
    else if (member.name === SIGNATURE)
      found.signature = (await whole(once(member, found.signature), LONGEST_SIGNATURE)).toString('utf8');
    else if (member.name === DATABASE)
      found.databaseHash = await writeOut(
        once(member, found.databaseHash),
        places.database,
        limits.databaseBytes,
      );
    else {
      const path = documentPath(member.name, found, limits);
      const content = await whole(member, limits.documentBytes);
      found.documents.set(path, sha256(content));
      batch.push([join(places.documents, path), content]);
      if (batch.length === AT_ONCE) await writeAll(batch);
    }
    report((done += member.size));
  }
  await writeAll(batch);
  return found;
}

const LONGEST_SIGNATURE = 1_000; // bytes
const AT_ONCE = 16; // files

/** Writes the batch in parallel and awaits every write, even after a failure: the folder is removed afterwards. */
async function writeAll(batch: Array<[path: string, content: Buffer]>): Promise<void> {
  const written = await Promise.allSettled(batch.splice(0).map((file) => writeNew(...file)));
  const failed = written.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function once(member: Member, before: string | null): Member {
  if (before !== null) throw refused(`it contains ${member.name} twice`);
  return member;
}

function documentPath(name: string, { documents }: Found, limits: Limits): string {
  const shown = JSON.stringify(name.slice(0, 200));
  if (!name.startsWith(DOCUMENTS)) throw refused(`it contains ${shown}, which no export has`);
  const path = name.slice(DOCUMENTS.length);
  const problem = documentProblem(path);
  if (problem) throw refused(`the document ${shown} ${problem}`);
  if (documents.has(path)) throw refused(`it contains ${shown} twice`);
  if (documents.size >= limits.documents)
    throw refused(`it contains more than ${limits.documents} documents`);
  return path;
}

function checkSize({ name, size }: Member, limit: number): void {
  if (size > limit)
    throw refused(`${JSON.stringify(name.slice(0, 200))} has ${size} bytes; the limit is ${limit}`);
}

async function whole(member: Member, limit: number): Promise<Buffer> {
  checkSize(member, limit);
  const chunks: Buffer[] = [];
  for await (const chunk of member.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function writeOut(member: Member, to: string, limit: number): Promise<string> {
  checkSize(member, limit);
  const hash = createHash('sha256');
  const file = await open(to, 'wx', 0o600);
  try {
    for await (const chunk of member.chunks()) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/** Not synced: only an import that moves the file into place needs that. */
async function writeNew(path: string, content: Buffer): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? refused(`two of its documents have the same name on this disk: ${path}`)
      : error;
  });
}

function checkManifest({ documents, manifest: text, databaseHash }: Found): Manifest {
  if (text === null) throw refused(`${MANIFEST} is missing`);
  const manifest = parseManifest(text);
  if (databaseHash === null) throw refused(`${DATABASE} is missing`);
  if (databaseHash !== manifest.db_sha256) throw refused(`${DATABASE} does not match its manifest`);
  if (manifest.document_count !== documents.size || manifest.documents.length !== documents.size) {
    throw refused(
      `its manifest counts ${manifest.document_count} documents and lists ${manifest.documents.length}, but there are ${documents.size}`,
    );
  }
  for (const { path, sha256 } of manifest.documents) {
    const there = documents.get(path);
    if (there === undefined) throw refused(`the document ${JSON.stringify(path.slice(0, 200))} is missing`);
    if (there !== sha256) throw refused(`the document ${JSON.stringify(path)} does not match its manifest`);
  }
  return manifest;
}
