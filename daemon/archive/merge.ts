import { join } from 'node:path';
import type { Imported } from '#contract/archive.ts';
import { proposeSlots } from '../knowledge/slot-proposals.ts';
import { inTurns, Turns, yieldToOthers } from '../platform/turns.ts';
import { compilePatterns } from '../privacy/compile.ts';
import { redactAll } from '../privacy/redact.ts';
import {
  attachStaged,
  type PendingMerge,
  setPendingMerge,
  slotsOf,
  stagedLearning,
} from '../store/archive/ingest.ts';
import { MergedRows, shiftFor } from '../store/archive/merge-rows.ts';
import { connect } from '../store/connection.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { rememberBatch } from '../store/learnings/import-batches.ts';
import { addLearning, type Reason, type Store } from '../store/learnings/write.ts';
import type { ArchiveParts, ReportProgress } from './archive-parts.ts';
import { type Comparison, isConflict, merged } from './compare.ts';
import { type Entering, entering, foundIn, moveIntoPlace, type Source, type Trust } from './entering.ts';
import { askWhichIsRight, because } from './other-version.ts';

const AT_ONCE = 4; // notes of one transaction, so that nobody waits long for their turn
const AHEAD = 32; // notes whose files are written together: a disk syncs several in the time of one

/** An archive that was checked and lies in the staging folder. */
interface Staged {
  /** Name of its folder in the staging folder. */
  name: string;
  file: string;
  comparison: Comparison;
}

/**
 * Adds learnings that are not here, by id, a few at a time. A learning that differs stays as it is; the other version
 * is held back beside it as a merge question for a person. One's own archive also brings histories, signals and slots;
 * of any other, those stay behind, because they would speak for somebody who is not here. One undo reverses it all, and
 * what a stop or a crash interrupts is continued at the next start.
 */
export async function mergeArchive(
  parts: ArchiveParts,
  archive: Staged,
  source: PendingMerge | { trust: Trust; from: string },
  report: ReportProgress,
): Promise<Imported> {
  const { db } = parts.store;
  const detach = attachStaged(db, archive.file);
  try {
    const ids = archive.comparison.added.flatMap(({ kind, id }) => (kind === 'learning' ? [id] : []));
    // An interrupted merge continues; notes that it added are found here. One that added nothing starts over, because
    // other changes may have taken its numbers since.
    if ('unit' in source && source.unit !== null) return await merge(parts, archive, source, ids, report);
    const { trust, from } = source;
    await yieldToOthers();
    const { shift, first } = shiftFor(db, ids, knowledgeVersion(db));
    const pending = { stage: archive.name, from, trust, ...shift, unit: null };
    return await merge(parts, archive, pending, first === null ? ids : [...new Set([first, ...ids])], report);
  } finally {
    detach();
  }
}

async function merge(
  parts: ArchiveParts,
  { comparison, name, file }: Staged,
  started: PendingMerge,
  added: readonly string[],
  report: ReportProgress,
): Promise<Imported> {
  const { store, signal, staging } = parts;
  const { db } = store;
  const turns = new Turns(signal, { rests: false });
  await yieldToOthers();
  await inTurns(compilePatterns(), signal, { rests: false });
  const rows = started.trust === 'mine' ? new MergedRows(db, started) : null;
  await turns.next();
  const source: Source = { trust: started.trust, from: started.from, folder: join(staging, name) };
  const ids = [...added, ...comparison.changed.filter(isConflict).map(({ id }) => id)];
  let pending = started;
  let [conflicts, same] = [0, comparison.same + ids.length];
  setPendingMerge(db, pending);
  for (let done = 0; done < ids.length; done += AHEAD) {
    const prepared = await prepare(store, source, ids.slice(done, done + AHEAD), turns);
    same -= prepared.length;
    conflicts += prepared.filter(({ differsFrom }) => differsFrom !== null).length;
    for (let at = 0; at < prepared.length; at += AT_ONCE) {
      const notes = prepared.slice(at, at + AT_ONCE);
      db.transaction(() => {
        pending = { ...pending, unit: addNotes(store, notes, rows, pending.unit) };
        setPendingMerge(db, pending);
      })();
      store.onStep?.('notes merged');
      for (const note of notes) moveIntoPlace(note, store.documents);
      flushOutbox(db, store.documents, store.onStep);
      report('writing', done + at, ids.length);
      await turns.next();
    }
  }
  if (rows) await inTurns(rows.addRest(pending.unit), signal, { rests: false });
  else askAboutSlots(store, file, started.from);
  if (started.trust === 'foreign') rememberBatch(db, { from: started.from, at: store.now(), same });
  setPendingMerge(db, null);
  return merged(comparison, { conflicts, trust: started.trust, changeId: pending.unit });
}

/** Their files are written side by side; reading and wording them takes turns with other work. */
async function prepare(
  store: Store,
  source: Source,
  ids: readonly string[],
  turns: Turns,
): Promise<Entering[]> {
  const notes: Array<Promise<Entering | null>> = [];
  for (const id of ids) {
    const note = entering(store.db, source, stagedLearning(store.db, id));
    note.catch(() => {}); // reported below, with the others
    notes.push(note);
    await turns.next();
  }
  return (await Promise.all(notes)).filter((note) => note !== null);
}

/** Adds the notes to the event of the merge and returns the first change of the event. */
function addNotes(
  store: Store,
  prepared: readonly Entering[],
  rows: MergedRows | null,
  started: number | null,
): number | null {
  const notes = prepared.filter(({ id }) => findLearning(store.db, id) === null); // a session may have taught it meanwhile
  const added = notes.filter(({ differsFrom }) => differsFrom === null).map(({ id }) => id);
  let unit = started;
  rows?.addHistory(added);
  for (const note of notes) {
    const { changeId } = addNote(store, note, { ...because(note.reason), unit });
    unit ??= changeId;
  }
  rows?.addTraits(added);
  return unit;
}

function addNote(store: Store, entry: Entering, why: Reason): { changeId: number } {
  const { id, note, createdAt, updatedAt, differsFrom } = entry;
  const found = foundIn(entry);
  const added = addLearning(store, note, why, { id, createdAt, updatedAt, ...(found ? { found } : {}) });
  if (differsFrom !== null) askWhichIsRight(store, differsFrom, { id, note });
  return added;
}

function askAboutSlots({ db, now }: Store, file: string, from: string): void {
  const archive = connect(file);
  try {
    proposeSlots({ db, now }, redactAll(slotsOf(archive), {}), from);
  } finally {
    archive.close();
  }
}
