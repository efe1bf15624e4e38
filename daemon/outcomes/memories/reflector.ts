import type { Note, NoteInput } from '#contract/entities.ts';
import { messageOf } from '#contract/errors.ts';
import { BackgroundTask } from '../../platform/background-task.ts';
import type { Log } from '../../platform/log.ts';
import { asOneUnit, type Saved, type Store } from '../../store/learnings/write.ts';
import { settleTrace, type StoredTrace, traceToWrite } from '../../store/outcomes/traces.ts';
import { reflectionNote } from './reflection.ts';

interface ReflectorParts {
  store: Store;
  log: Log;
  /** Asks the configured writer for a lesson; null when it finds none. */
  word: (trace: StoredTrace) => Promise<NoteInput | null>;
  /** Adds a note to the knowledge base. */
  keep: (note: Note, reason: string) => Saved;
}

/** Writes the lessons of reviewed runs one by one. An interrupted run is written after the next start. */
export function createReflector(parts: ReflectorParts): BackgroundTask {
  return new BackgroundTask({
    work: (signal) => writeAll(parts, signal),
    onError: (error) => parts.log.error('writing what runs teach', error),
  });
}

async function writeAll(parts: ReflectorParts, signal: AbortSignal): Promise<void> {
  const { store, log } = parts;
  for (let trace = traceToWrite(store.db); trace; trace = traceToWrite(store.db)) {
    try {
      await write(parts, trace, signal);
    } catch (error) {
      if (signal.aborted) return;
      settleTrace(store.db, trace.id, { problem: messageOf(error) });
      log.error(`writing what ${trace.id} teaches`, error);
    }
    if (signal.aborted) return;
  }
}

async function write(
  { store, word, keep }: ReflectorParts,
  trace: StoredTrace,
  signal: AbortSignal,
): Promise<void> {
  const note = reflectionNote(trace, await word(trace));
  if (signal.aborted) return;
  const reason = `the run ${trace.id} ${trace.result === 'pass' ? 'passed' : 'failed'}`;
  asOneUnit(store, () => settleTrace(store.db, trace.id, { memoryId: keep(note, reason).learning.id }));
}
