import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Corpus } from '#contract/modes.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { knowledgeVersion } from '../../store/learnings/history.ts';
import {
  chooseMembers,
  type CorpusFilter,
  deleteCorpus,
  findCorpus,
  listCorpora,
  liveRows,
  putCorpus,
  type StoredCorpus,
} from '../../store/learnings/corpora.ts';
import type { WritableDb } from '../../store/db.ts';
import { learningsBySeq } from '../../store/learnings/learnings.ts';
import { renderLearning } from '../render.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

/** The database and the folder of snapshots. */
export interface CorpusParts {
  db: WritableDb;
  folder: string;
  now: () => number;
}

/** Chooses the learnings of a corpus by its filter; one of the same name is replaced. */
export function buildCorpus(parts: CorpusParts, name: string, filter: CorpusFilter): Corpus {
  checkName(name);
  const { db, now } = parts;
  const corpus: StoredCorpus = {
    name,
    filter,
    builtAt: now(),
    version: knowledgeVersion(db),
    members: chooseMembers(db, filter),
  };
  // The file is written inside the transaction: a corpus whose snapshot cannot be written does not exist at all.
  db.transaction(() => {
    putCorpus(db, corpus);
    writeFileAtomic(fileOf(parts, name), `${JSON.stringify(snapshotOf(db, corpus), null, 2)}\n`);
  })();
  return toCorpus(parts, corpus);
}

/** Rewrites the files of all corpora, for rows that were imported, and deletes those of deleted corpora. */
export function renewSnapshots(parts: CorpusParts): void {
  rmSync(parts.folder, { recursive: true, force: true });
  for (const corpus of listCorpora(parts.db))
    writeFileAtomic(fileOf(parts, corpus.name), `${JSON.stringify(snapshotOf(parts.db, corpus), null, 2)}\n`);
}

export function corpora(parts: CorpusParts): Corpus[] {
  return listCorpora(parts.db).map((corpus) => toCorpus(parts, corpus));
}

/** Applies the filter again: new learnings come in, deleted ones and those that no longer fit go. */
export function rebuildCorpus(
  parts: CorpusParts,
  name: string,
): { corpus: Corpus; added: string[]; removed: string[] } {
  const { filter, members: before } = named(parts.db, name);
  const corpus = buildCorpus(parts, name, filter);
  const after = named(parts.db, name).members;
  return { corpus, added: without(after, before), removed: without(before, after) };
}

export function dropCorpus(parts: CorpusParts, name: string): void {
  named(parts.db, name);
  deleteCorpus(parts.db, name);
  rmSync(fileOf(parts, name), { force: true });
}

/** The rows that may answer a question to this corpus, and notices for the caller. */
export function corpusScope(
  { db }: Pick<CorpusParts, 'db'>,
  name: string,
): { only: ReadonlySet<number>; notices: string[] } {
  const corpus = named(db, name);
  const notices = isStale(db, corpus)
    ? [`The corpus ${name} is older than the knowledge base; \`reflect corpus rebuild\` renews it.`]
    : [];
  return { only: new Set(liveRows(db, corpus.members)), notices };
}

const INSTRUCTION =
  'Answer questions using ONLY the learnings below. If they do not hold the answer, say so.';

/**
 * A prompt that makes any agent answer from this corpus alone. Notes that do not fit the tokens are counted, not
 * silently left out.
 */
export function primeCorpus(
  { db }: Pick<CorpusParts, 'db'>,
  name: string,
  maxTokens = Infinity,
): { text: string; learnings: number; tokens: number } {
  const members = membersOf(db, named(db, name));
  const entries: string[] = [];
  let left = maxTokens - estimateTokens(INSTRUCTION);
  for (const entry of members.map(renderLearning)) {
    if ((left -= estimateTokens(entry)) < 0) break;
    entries.push(entry);
  }
  const omitted = members.length - entries.length;
  const text = [
    `# ${name}`,
    INSTRUCTION,
    entries.join('\n') || '(There are none.)',
    ...(omitted > 0 ? [`(${omitted} more did not fit.)`] : []),
  ].join('\n\n');
  return { text, learnings: entries.length, tokens: estimateTokens(text) };
}

function named(db: WritableDb, name: string): StoredCorpus {
  checkName(name);
  const corpus = findCorpus(db, name);
  if (corpus) return corpus;
  const names = listCorpora(db).map((known) => known.name);
  throw new DaemonError(
    'not-found',
    `no corpus ${JSON.stringify(name)}; ${names.length > 0 ? `there are ${names.join(', ')}` : '`reflect corpus build` makes one'}`,
  );
}

function membersOf(db: WritableDb, { members }: StoredCorpus): Learning[] {
  const rows = liveRows(db, members);
  const learnings = learningsBySeq(db, rows);
  return rows.flatMap((seq) => learnings.get(seq) ?? []);
}

/** Any other version counts, not only an older one: a restored database has a lower version. */
const isStale = (db: WritableDb, { version }: StoredCorpus) => knowledgeVersion(db) !== version;

const without = (ids: string[], others: string[]) => {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
};

function toCorpus(parts: CorpusParts, corpus: StoredCorpus): Corpus {
  const { name, filter, builtAt, members } = corpus;
  return {
    name,
    filter,
    builtAt,
    learnings: members.length,
    stale: isStale(parts.db, corpus),
    file: fileOf(parts, name),
  };
}

/** Lists its members without their text: a copy of a note would outlive a note that is deleted. */
function snapshotOf(db: WritableDb, corpus: StoredCorpus) {
  const { name, filter, builtAt, version } = corpus;
  const entries = membersOf(db, corpus).map(({ id, title, category, tags, project, createdAt }) => ({
    id,
    title,
    category,
    tags,
    project,
    created: new Date(createdAt).toISOString(),
  }));
  return { name, filter, builtAt: new Date(builtAt).toISOString(), version, entries };
}

const LONGEST_NAME = 64;

function checkName(name: string): void {
  const problem =
    name.trim() === ''
      ? 'is empty'
      : name.length > LONGEST_NAME
        ? `has more than ${LONGEST_NAME} characters`
        : name.split(/[\\/]/).some((part) => part.trim() === '..' || part.trim() === '.')
          ? 'leads out of its folder'
          : null;
  if (problem) throw new DaemonError('bad-input', `the name of the corpus ${problem}`);
}

/** Lower case only: on some disks `Web.json` and `web.json` are one file, and `con.json` is not allowed. */
const SAFE = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9_][a-z0-9._-]*$/;

/** A file name that stays in its folder on every system; a hash separates two names that look alike there. */
export function safeName(name: string): string {
  if (SAFE.test(name)) return name;
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${slug || 'corpus'}-${createHash('sha1').update(name).digest('hex').slice(0, 6)}`;
}

const fileOf = ({ folder }: Pick<CorpusParts, 'folder'>, name: string) =>
  join(folder, `${safeName(name)}.json`);
