import type { VectorIndex } from '../knowledge/vector-index.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { inTurns } from '../platform/turns.ts';
import type { Core } from './core.ts';

const SETTLE = 20; // ms; a search would read what is left itself, and wait for it

/**
 * Reads the search indexes into memory, in turns with other work, and follows what changes; until then searches ask the
 * database.
 */
export function startSearchCache({ store, log, running }: Core, indexes: readonly VectorIndex[]): void {
  const { db } = store;
  const filling = new BackgroundTask({
    settleMs: SETTLE,
    work: async (signal) => {
      const tables = indexes.flatMap(({ table }) => table ?? []);
      if (db.search) await inTurns(db.search.fill(tables), signal);
    },
    onError: (error) => log.error('reading the search indexes', error),
  });
  running.add('search cache', () => filling.stop());
  const unsubscribe = db.changes.subscribe(
    () => filling.wake(),
    (error) => log.error('following changes', error),
  );
  running.add('search cache changes', unsubscribe);
  filling.wake();
}
