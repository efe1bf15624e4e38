import { mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import watcher from '@parcel/watcher';
import type { Log } from '../platform/log.ts';
import { isVisible } from '../store/documents.ts';
import type { Store } from '../store/learning-write.ts';
import { takeInDocuments } from './hand-edits.ts';

const QUIET = 150; // ms; an editor saves in several steps and the two files of a note are two steps too

/** Takes in what a person does to the note files while the daemon runs. */
export async function watchDocuments(store: Store, log: Log): Promise<{ close(): Promise<void> }> {
  mkdirSync(store.documents, { recursive: true, mode: 0o700 });
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function takeIn(): void {
    const paths = [...changed];
    changed.clear();
    try {
      takeInDocuments(store, paths);
    } catch (error) {
      log.error(`reading ${paths.join(', ')}`, error);
    }
  }

  let closed = false;
  const subscription = await watcher.subscribe(store.documents, (error, events) => {
    if (closed) return; // what was on its way when we stopped is found by the next start
    if (error) return log.error('watching the notes', error);
    for (const { path } of events) {
      const note = relative(store.documents, path).replace(/\.entities\.yaml$/, '.md');
      if (note.endsWith('.md') && isVisible(note)) changed.add(note);
    }
    clearTimeout(timer);
    timer = setTimeout(takeIn, QUIET);
  });
  return {
    close: async () => {
      await subscription.unsubscribe(); // first: an event on its way would set the timer again
      clearTimeout(timer);
    },
  };
}
