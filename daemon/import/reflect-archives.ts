import { DaemonError } from '#contract/errors.ts';
import { isTar, type Member, readTar } from '../archive/tar.ts';
import { openHandle } from '../platform/read-file.ts';
import { sidecarPath } from '../store/learnings/documents.ts';
import { type Fields, parseRecord } from '../transcripts/fields.ts';
import { holdsNoNotes, isFile, markdownOf, reading } from './files.ts';
import { type Importer, Unreadable } from './importer.ts';
import { foundIn } from './reflect-memory.ts';

const DOCUMENTS = 'documents/';
const LONGEST_MANIFEST = 64 * 1024 * 1024; // bytes
const LONGEST_DOCUMENT = 1024 * 1024; // bytes
const MOST_DOCUMENTS = 100_000;

/** An export of Reflect itself, which restores and merges as a whole. */
export const reflectArchive: Importer = {
  kind: 'reflect-archive',
  name: 'an export of Reflect',
  detect: async (path) => 'db_sha256' in (await manifestOf(path)),
  read() {
    throw new DaemonError(
      'bad-input',
      'an export of Reflect is restored or merged as a whole: `reflect import --merge`',
    );
  },
};

/**
 * An export of reflect-memory: the same kind and version, but no hashes and another database. Its notes are read, not
 * its tables.
 */
export const reflectMemoryArchive: Importer = {
  kind: 'reflect-memory-archive',
  name: 'an export of reflect-memory',
  detect: async (path) => {
    const manifest = await manifestOf(path);
    return manifest.kind === 'reflect-kb-export' && !('db_sha256' in manifest);
  },
  async *read(path) {
    if (!isFile(path)) {
      yield { source: path, problem: 'it is not a file' };
      return;
    }
    const documents = await documentsIn(path);
    for (const [name, text] of documents) {
      if (!name.endsWith('.md')) continue;
      yield* reading(name, () => {
        if (text === null) throw new Unreadable('it is larger than 1 MB');
        return [foundIn(name, markdownOf(name, text), documents.get(sidecarPath(name)) ?? null)];
      });
    }
  },
};

async function manifestOf(path: string): Promise<Fields> {
  if (!isFile(path) || !(path.endsWith('.tar') || isTar(path))) return {};
  for await (const member of membersOf(path)) {
    if (member.name !== 'manifest.json' || member.size > LONGEST_MANIFEST) continue;
    return parseRecord(await contentOf(member));
  }
  return {};
}

/** Texts by name, null for one that is too long; they stay in memory, so no name can lead anywhere. */
async function documentsIn(path: string): Promise<Map<string, string | null>> {
  const documents = new Map<string, string | null>();
  for await (const member of membersOf(path)) {
    if (!member.name.startsWith(DOCUMENTS) || documents.size >= MOST_DOCUMENTS) continue;
    const name = member.name.slice(DOCUMENTS.length);
    if (name.split('/').some(holdsNoNotes)) continue; // its exporter packs what was forgotten, too
    documents.set(name, member.size > LONGEST_DOCUMENT ? null : await contentOf(member));
  }
  return documents;
}

async function* membersOf(path: string): AsyncGenerator<Member> {
  const file = await openHandle(path);
  try {
    yield* readTar(file);
  } finally {
    await file.close();
  }
}

async function contentOf(member: Member): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of member.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
