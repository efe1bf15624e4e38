import { mkdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import watcher from '@parcel/watcher';
import type { Log } from '../platform/log.ts';
import { WATCH_BACKEND } from '../platform/watch-backend.ts';
import { isVisible, listDocuments } from '../store/learnings/documents.ts';
import type { Store } from '../store/learnings/write.ts';
import { takeInDocuments } from './hand-edits.ts';

const QUIET = 150; // ms; an editor saves in several steps and the two files of a note are two steps too

/** Takes in what a person does to the note files while the daemon runs. */
export async function watchDocuments(store: Store, log: Log): Promise<{ close(): Promise<void> }> {
  mkdirSync(store.documents, { recursive: true, mode: 0o700 });
  const changed = new Set<string>();
  const folders = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function ingestEdits(): void {
    // Half of what is put into a new folder at once comes before the system watches it: only the folder itself is told of.
    const inFolders = [...folders].flatMap((folder) =>
      listDocuments(join(store.documents, folder)).map((path) => join(folder, path)),
    );
    const paths = [...new Set([...changed, ...inFolders])];
    changed.clear();
    folders.clear();
    try {
      takeInDocuments(store, paths);
    } catch (error) {
      log.error(`reading ${paths.join(', ')}`, error);
    }
  }

  const subscription = await watcher.subscribe(
    store.documents,
    (error, events) => {
      if (closed) return; // the watcher may tell of what happened before even after it was let go
      if (error) return log.error('watching the notes', error);
      for (const { path, type } of events) {
        const place = relative(store.documents, path);
        if (!isVisible(place)) continue;
        const note = place.replace(/\.entities\.yaml$/, '.md');
        if (note.endsWith('.md')) changed.add(note);
        else if (type === 'create' && isFolder(path)) folders.add(place);
      }
      clearTimeout(timer);
      timer = setTimeout(ingestEdits, QUIET);
    },
    WATCH_BACKEND,
  );
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await subscription.unsubscribe();
    },
  };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
