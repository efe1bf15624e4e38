import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { DATABASE, documentProblem, DOCUMENTS, type Limits, LIMITS, MANIFEST } from './member.ts';
import { type Member, readTar, refused } from './tar-read.ts';
import type { Tell } from './turns.ts';

/** What an archive holds, laid out in a folder of ours; the database in it is not to be trusted yet. */
export interface Unpacked {
  manifest: Manifest;
  /** Of the archive itself. */
  bytes: number;
  documents: string;
  database: string;
}

/** Lays an archive out in a new folder. Whatever an export could not have put there is refused, by name and with the reason. */
export async function unpack(
  archive: string,
  folder: string,
  tell: Tell,
  limits: Limits = LIMITS,
): Promise<Unpacked> {
  const file = await openArchive(archive);
  try {
    const { size } = await file.stat();
    const places = { documents: join(folder, 'documents'), database: join(folder, 'untrusted.db') };
    mkdirSync(places.documents, { recursive: true, mode: 0o700 });
    const found = await layOut(file, places, limits, (done) => tell('unpacking', done, size));
    return { bytes: size, ...places, manifest: checkManifest(found) };
  } finally {
    await file.close();
  }
}

async function openArchive(archive: string): Promise<FileHandle> {
  if (!isAbsolute(archive)) throw new DaemonError('bad-input', `the path must be absolute: ${archive}`);
  const file = await open(archive, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new DaemonError('not-found', `${archive} cannot be read: ${error.code ?? error.message}`);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw refused(`${archive} is not a file`);
}

interface Found {
  documents: Map<string, string>;
  manifest: string | null;
  databaseHash: string | null;
}

type Places = Pick<Unpacked, 'documents' | 'database'>;

async function layOut(
  file: FileHandle,
  places: Places,
  limits: Limits,
  tell: (done: number) => void,
): Promise<Found> {
  const found: Found = { documents: new Map(), manifest: null, databaseHash: null };
  const writes = new Writes();
  let done = 0;
  try {
    for await (const member of readTar(file)) {
      if (member.name === MANIFEST)
        found.manifest = (await whole(once(member, found.manifest), limits.manifestBytes)).toString('utf8');
      else if (member.name === DATABASE)
        found.databaseHash = await writeOut(
          once(member, found.databaseHash),
          places.database,
          limits.databaseBytes,
        );
      else {
        const path = documentPath(member.name, found, limits);
        const content = await whole(member, limits.documentBytes);
        found.documents.set(path, createHash('sha256').update(content).digest('hex'));
        await writes.add(() => writeDurably(join(places.documents, path), content));
      }
      tell((done += member.size));
    }
  } finally {
    await writes.settled(); // whoever clears the folder away must be alone in it
  }
  writes.check();
  return found;
}

const AT_ONCE = 16; // a disk makes several files durable in the time of one

/** Some writes side by side; the first that fails is told to whoever adds the next. */
class Writes {
  readonly #running = new Set<Promise<void>>();
  #problem: { error: unknown } | null = null;

  async add(write: () => Promise<void>): Promise<void> {
    this.check();
    const running = write()
      .catch((error: unknown) => void (this.#problem ??= { error }))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  check(): void {
    if (this.#problem) throw this.#problem.error;
  }
}

function once(member: Member, before: string | null): Member {
  if (before !== null) throw refused(`it holds ${member.name} twice`);
  return member;
}

function documentPath(name: string, { documents }: Found, limits: Limits): string {
  const shown = JSON.stringify(name.slice(0, 200));
  if (!name.startsWith(DOCUMENTS)) throw refused(`it holds ${shown}, which no export has`);
  const path = name.slice(DOCUMENTS.length);
  const problem = documentProblem(path);
  if (problem) throw refused(`the document ${shown} ${problem}`);
  if (documents.has(path)) throw refused(`it holds ${shown} twice`);
  if (documents.size >= limits.documents) throw refused(`it holds more than ${limits.documents} documents`);
  return path;
}

function checkSize({ name, size }: Member, limit: number): void {
  if (size > limit)
    throw refused(`${JSON.stringify(name.slice(0, 200))} has ${size} bytes; at most ${limit} are taken`);
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

/** On disk for good: an import moves these files into place, and a power cut must not leave them empty. */
async function writeDurably(path: string, content: Buffer): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? refused(`two of its documents have one name on this disk: ${path}`)
      : error;
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function checkManifest({ documents, manifest: text, databaseHash }: Found): Manifest {
  if (text === null) throw refused(`${MANIFEST} is missing`);
  const manifest = parseManifest(text);
  if (databaseHash === null) throw refused(`${DATABASE} is missing`);
  if (databaseHash !== manifest.db_sha256) throw refused(`${DATABASE} is not the one its manifest tells of`);
  if (manifest.document_count !== documents.size || manifest.documents.length !== documents.size) {
    throw refused(
      `its manifest counts ${manifest.document_count} documents and names ${manifest.documents.length}, and there are ${documents.size}`,
    );
  }
  for (const { path, sha256 } of manifest.documents) {
    const there = documents.get(path);
    if (there === undefined) throw refused(`the document ${JSON.stringify(path.slice(0, 200))} is missing`);
    if (there !== sha256)
      throw refused(`the document ${JSON.stringify(path)} is not the one its manifest tells of`);
  }
  return manifest;
}
