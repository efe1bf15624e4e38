type StorageProblem = 'full' | 'read-only' | 'failing' | 'damaged';

const CODES: ReadonlyArray<readonly [RegExp, StorageProblem]> = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^(?:SQLITE_READONLY.*|EROFS)$/, 'read-only'],
  [/^(?:SQLITE_CORRUPT.*|SQLITE_NOTADB)$/, 'damaged'],
  [/^(?:SQLITE_IOERR.*|EIO)$/, 'failing'],
];

/** A sentence for each, for the person whose disk it is. */
export const STORAGE_SENTENCES: Readonly<Record<StorageProblem, string>> = {
  full: 'The disk is full, so nothing can be saved. Your learnings can still be read. Free some space.',
  'read-only':
    'The Reflect folder is read-only, so nothing can be saved. Your learnings can still be read. Make the folder writable.',
  failing: 'The disk reports errors, so nothing can be saved. Export your learnings to another disk.',
  damaged: 'The database is damaged. Reflect repairs it from its backup and the note files.',
};

const SCARCE = 20_000_000; // bytes; a day of work needs less
const MEGABYTE = 1_000_000;

/** A warning before the disk is full, and while a start on a full one lives on the space that was kept for it. */
export const spaceNotices = (freeBytes: number): string[] =>
  freeBytes >= SCARCE
    ? []
    : [
        `The disk is nearly full: ${(freeBytes / MEGABYTE).toFixed(1)} MB are left. Free some space, or soon nothing can be saved.`,
      ];

/** Why the disk refused a read or write; null when the error has nothing to do with it. */
export function storageProblemOf(error: unknown): StorageProblem | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** Another connection writes for a while, as an import in its thread does. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code));

/** A mode that forbids writing says less than a disk that is mounted read-only. */
const deniedAs = (error: unknown): StorageProblem | null =>
  error instanceof Error && 'code' in error && /^E(?:ACCES|PERM)$/.test(String(error.code))
    ? 'read-only'
    : null;

/** Knows whether the disk takes what is written. Reading goes on in any case. */
export class StoreHealth {
  #problem: StorageProblem | null = null;
  /** Called once for every new problem. */
  onProblem: (problem: StorageProblem) => void = () => {};

  get problem(): StorageProblem | null {
    return this.#problem;
  }

  /** Remembers what an error says about the disk. */
  note(error: unknown): StorageProblem | null {
    const found = storageProblemOf(error) ?? (this.#problem === 'read-only' ? deniedAs(error) : null);
    if (found && found !== this.#problem && this.#problem !== 'damaged') {
      this.#problem = found;
      this.onProblem(found);
    }
    return found;
  }

  /** Does bookkeeping beside a question, which is answered even if the disk is full or another connection writes. */
  tolerate(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.note(error) === null && !isBusy(error)) throw error;
    }
  }

  /** The problem, after another attempt to write; null when everything is well. */
  check(write: () => void): StorageProblem | null {
    if (this.#problem === null || this.#problem === 'damaged') return this.#problem;
    try {
      write();
      this.#problem = null;
    } catch (error) {
      this.note(error);
    }
    return this.#problem;
  }
}
