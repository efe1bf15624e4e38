import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Note, type NoteInput } from '#contract/entities.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import type { StoreChange } from '../store/changes.ts';
import type { WritableDb } from '../store/db.ts';
import { openMemoryStore, openStore } from '../store/open.ts';
import { addLearning, type Saved, type Store } from '../store/learnings/write.ts';

export const CREATED = { actor: 'test', kind: 'create', reason: 'given' } as const;
export const EDITED = { actor: 'test', kind: 'update', reason: 'edited' } as const;

/** An empty folder that is gone when the test is over. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'reflect-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TempStore extends Store {
  paths: Paths;
  notices: string[];
  /** Moves the store's clock. */
  tick(ms: number): void;
  close(): void;
}

export const START = Date.UTC(2026, 5, 15, 12);

let migrated: Buffer | undefined;

/** A migrated, empty database: running every migration took most of the time of a short test. */
export const emptyStore = (): Buffer => (migrated ??= openMemoryStore().serialize());

/** A store without files. */
export const memoryStore = (): WritableDb => openMemoryStore(emptyStore());

function newHome(): string {
  const home = tempFolder();
  writeFileSync(pathsOf(home).database, emptyStore(), { mode: 0o600 });
  return home;
}

/** The store as the daemon opens it, on real files, with a clock that stands still until it is told. */
export function tempStore(home = newHome()): TempStore {
  const paths = pathsOf(home);
  const { db, notices } = openStore(paths.database, paths.backups);
  const close = () => void db.close();
  onTestFinished(close);
  let now = START;
  return { db, documents: paths.documents, now: () => now, paths, notices, tick: (ms) => (now += ms), close };
}

/** Everything announced from now on, commit by commit. */
export function recordCommits(db: WritableDb): StoreChange[][] {
  const commits: StoreChange[][] = [];
  db.changes.subscribe(
    (changes) => commits.push([...changes]),
    (error) => {
      throw error;
    },
  );
  return commits;
}

export function given(store: Store, note: NoteInput): Saved {
  return addLearning(store, Note.parse(note), CREATED);
}
