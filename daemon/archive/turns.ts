import { DaemonError } from '#contract/errors.ts';
import type { Store } from '../store/learnings/write.ts';

/** Tells how far a step of the work has come. */
export type Tell = (step: string, done: number, total: number) => void;

/** What all archive work is done with. */
export interface ArchiveParts {
  store: Store;
  /** Where imports are prepared; on the same disk as the documents, for they are moved from here. */
  staging: string;
  backups: string;
}

/** Lets others have their turn; long work does this after every slice. */
export async function breathe({ db }: Store): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (!db.open) throw new DaemonError('unreachable', 'the daemon was stopped meanwhile');
}

/** Runs work that yields after every slice to its end. */
export async function inTurns<Step, T>(
  store: Store,
  work: Generator<Step, T>,
  onStep: (step: Step) => void = () => {},
): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    onStep(value);
    await breathe(store).catch((error: unknown) => {
      work.return(undefined as T); // its files and databases are closed
      throw error;
    });
  }
}
