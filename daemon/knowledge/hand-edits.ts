import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Note } from '#contract/entities.ts';
import { UnreadableFile } from '../platform/read-file.ts';
import { atOnce, inTurns } from '../platform/turns.ts';
import { type DocumentFiles, parseDocument } from '../store/learnings/document-format.ts';
import { DocumentProblem } from '../store/learnings/document-yaml.ts';
import { documentPath, idFromName, projectFolder } from '../store/learnings/document-path.ts';
import {
  acknowledgeDocument,
  clearStray,
  documentAt,
  documentOf,
  documentsBelow,
  flagDocument,
  isOurs,
  type KnownDocument,
  knownInSlices,
  listStrays,
  recordStrayFile,
  readDocument,
  rememberStats,
  statOf,
} from '../store/learnings/documents.ts';
import { withoutSecrets } from '../store/learnings/write-row.ts';
import {
  addLearning,
  adoptDocument,
  BY_HAND,
  byHand,
  changeLearning,
  restoreDocument,
  type Store,
} from '../store/learnings/write.ts';
import { closesCycle, findLearning, noteOf } from '../store/learnings/learnings.ts';
import { knownProjects } from '../store/search/shards.ts';

/**
 * Ingests what a person added, changed or deleted in the notes on disk while nothing watched them. Runs in turns with
 * other work, so that the daemon answers while it reads 100 000 files.
 */
export const rescanDocuments = (store: Store, signal: AbortSignal): Promise<number> =>
  inTurns(rescan(store), signal, { rests: false });

const SLICE = 20; // files

function* rescan(store: Store): Generator<void, number> {
  const known: KnownDocument[] = [];
  for (const some of knownInSlices(store.db)) {
    known.push(...some.filter(({ status }) => status !== 'forgotten'));
    yield;
  }
  if (!existsSync(store.documents)) {
    // A missing folder is an unmounted disk or an accident, not a wish to delete everything.
    for (const { id } of known) {
      restoreDocument(store, id);
      yield;
    }
    return 0;
  }
  for (const { path } of listStrays(store.db))
    if (!existsSync(join(store.documents, path))) clearStray(store.db, path);
  const onDisk = new Set<string>();
  for (const paths of documentsBelow(store.documents)) {
    for (const path of paths) onDisk.add(path);
    yield;
  }
  const passedBy = new Map(
    known.filter(({ problem }) => problem === null).map(({ path, stat }) => [path, stat]),
  );
  // Stats are taken before the files are read, so that a change in between is seen next time.
  let changed = 0;
  for (const slice of slices([...onDisk])) {
    const stats = new Map(
      slice
        .map((path) => [path, statOf(store.documents, path)] as const)
        .filter(([path, stat]) => passedBy.get(path) !== stat),
    );
    changed += ingestDocuments(store, [...stats.keys()]);
    rememberStats(store.db, stats);
    yield;
  }
  // Missing files come last, because a moved note has been found in its new place by then.
  return (
    changed +
    ingestDocuments(
      store,
      known.map(({ path }) => path).filter((path) => !onDisk.has(path)),
    )
  );
}

function slices<T>(list: T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / SLICE) }, (_, index) =>
    list.slice(index * SLICE, (index + 1) * SLICE),
  );
}

/**
 * Ingests files that changed on disk and returns how many changed a note. Existing files come first: a moved note must
 * be found in its new place before it is missed in the old one.
 */
export const ingestDocuments = (store: Store, paths: string[]): number => atOnce(ingesting(store, paths));

/** The same in turns with other work, for as many files as an import or a checkout writes. */
export const ingestInTurns = (store: Store, paths: string[], signal: AbortSignal): Promise<number> =>
  inTurns(ingesting(store, paths), signal, { rests: false });

function* ingesting(store: Store, paths: string[]): Generator<void, number> {
  const there = (path: string) => existsSync(join(store.documents, path));
  let changed = 0;
  const missing: string[] = [];
  for (const path of paths) {
    if (!there(path)) missing.push(path);
    else if (ingestFile(store, path)) changed++;
    yield;
  }
  for (const path of missing) {
    if (!there(path) && ingestDeletion(store, path)) changed++;
    yield;
  }
  return changed;
}

function ingestFile(store: Store, path: string): boolean {
  const known = documentAt(store.db, path);
  try {
    const files = readDocument(store.documents, path);
    return files !== null && ingestText(store, path, files, known);
  } catch (error) {
    const problem = problemOf(error);
    // The file stays as the person left it; recall uses the last good version, if there is one, until the file is valid
    // again.
    if (!known) return recordStrayFile(store.db, path, problem);
    flagDocument(store.db, known, problem);
    return known.problem !== problem;
  }
}

/** The problem with a person's file; anything else is our own mistake and thrown on. */
function problemOf(error: unknown): string {
  if (error instanceof DocumentProblem) return error.message;
  if (error instanceof UnreadableFile) return error.why;
  throw error;
}

function ingestText(
  store: Store,
  path: string,
  files: DocumentFiles,
  known: KnownDocument | undefined,
): boolean {
  if (known && isOurs(known, files) && files.sidecar !== null) {
    if (known.problem === null || known.replaces !== null) return false;
    flagDocument(store.db, known, null); // restored by hand
    return true;
  }
  const changed = adopt(store, path, files, known);
  clearStray(store.db, path);
  return changed;
}

function ingestDeletion(store: Store, path: string): boolean {
  clearStray(store.db, path);
  const known = documentAt(store.db, path);
  if (!known || known.status === 'forgotten' || known.replaces !== null) return false;
  // The last version goes to `.forgotten/`, so that an accident can be undone and the file stays deleted.
  changeLearning(
    store,
    known.id,
    { status: 'forgotten' },
    { actor: BY_HAND.actor, kind: 'archive', reason: 'the file was deleted' },
  );
  return true;
}

function adopt(store: Store, path: string, files: DocumentFiles, known: KnownDocument | undefined): boolean {
  const {
    id: written,
    createdAt,
    updatedAt,
    note: read,
    stripped,
  } = parseDocument(files, store.stripSignals?.());
  const id = written ?? known?.id ?? idFromName(basename(path, '.md'));
  if (known && known.id !== id)
    throw new DocumentProblem(
      `id: it was ${known.id} and cannot become ${id}; copy the file to make another note`,
    );
  const before = findLearning(store.db, id);
  if (!known && before) refuseTwin(store, id);
  const saying = {
    ...placed(store, path, read),
    ...(files.sidecar === null && before ? { entities: before.entities, relations: before.relations } : {}),
  };
  const whole = written !== null && !stripped && saying.project === read.project;
  const { note, found, remark } = withoutSecrets(store.db, saying, { path, files, complete: whole });
  if (closesCycle(store.db, id, note.supersededBy))
    throw new DocumentProblem(`superseded_by: ${note.supersededBy} is superseded by ${id} itself`);
  if (!before) {
    addLearning(
      store,
      note,
      { ...BY_HAND, kind: 'create', reason: `a file was added${remark}` },
      { id, createdAt, updatedAt, found },
    );
  } else if (!isDeepStrictEqual(noteOf(before), note)) {
    adoptDocument(store, id, note, found, byHand(remark));
  } else if (path === documentPath(id, note) && files.sidecar !== null && !stripped && remark === '') {
    acknowledgeDocument(store.db, id, files);
    return known?.problem !== null;
  } else {
    restoreDocument(store, id, found); // renamed, without its sidecar, with usage signals or secrets
  }
  return true;
}

/** Refuses a second file with the id of a note whose own file exists; a replacement for a lost file is accepted. */
function refuseTwin(store: Store, id: string): void {
  const own = documentOf(store.db, id);
  if (own && own.status !== 'forgotten' && existsSync(join(store.documents, own.path))) {
    throw new DocumentProblem(`id: ${id} is already used by ${own.path}`);
  }
}

/** A note that names no project belongs to the one in whose folder it was put. */
function placed(store: Store, path: string, note: Note): Note {
  const [folder] = path.split(/[\\/]/);
  if (note.project !== '' || note.scope === 'global' || folder === 'global') return note;
  const projects = knownProjects(store.db).filter((project) => projectFolder(project) === folder);
  return projects.length === 1 ? { ...note, project: projects[0] ?? '' } : note;
}
