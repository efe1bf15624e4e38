import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Imported } from '#contract/archive.ts';
import type { Note } from '#contract/entities.ts';
import { proposeSlots } from '../knowledge/slot-proposals.ts';
import { redactAll } from '../privacy/redact.ts';
import { Turns } from '../platform/turns.ts';
import { slotsOf, stagedLearnings } from '../store/archive/ingest.ts';
import { connect } from '../store/connection.ts';
import { foreignNote } from '../store/learnings/foreign.ts';
import { getLearning, noteOf } from '../store/learnings/learnings.ts';
import { addLearning, asOneUnit } from '../store/learnings/write.ts';
import type { ArchiveParts, Tell } from './archive-parts.ts';
import { isConflict, merged } from './compare.ts';
import { askAbout, because } from './merge.ts';
import type { OpenArchive } from './open-archive.ts';

const AT_ONCE = 50; // notes

/**
 * Adds the notes of somebody else's archive. Each is redacted, belongs to its project only and waits for a person; slots become
 * questions. Histories, signals and facts about people stay behind, because they would speak for somebody who is not here.
 */
export async function mergeForeign(
  { store, signal }: ArchiveParts,
  { file, comparison }: OpenArchive,
  path: string,
  tell: Tell,
): Promise<Imported> {
  const added = new Set(comparison.added.filter(({ kind }) => kind === 'learning').map(({ id }) => id));
  const changed = new Set(comparison.changed.filter(isConflict).map(({ id }) => id));
  const from = basename(path);
  let conflicts = 0;
  const differs = ({ id, note }: { id: string; note: Note }) =>
    !saysTheSame(noteOf(getLearning(store.db, id)), note);
  const archive = connect(file);
  try {
    const wanted = [...stagedLearnings(archive)].filter(({ id }) => added.has(id) || changed.has(id));
    const turns = new Turns(signal, { rests: false });
    for (let done = 0; done < wanted.length; done += AT_ONCE) {
      asOneUnit(store, () => {
        for (const { note, ...learning } of wanted.slice(done, done + AT_ONCE)) {
          const theirs = { ...learning, note: foreign(note, from) };
          if (changed.has(learning.id)) conflicts += differs(theirs) && askAbout(store, theirs) ? 1 : 0;
          else addLearning(store, theirs.note, because(`it was in ${from}`), theirs);
        }
      });
      tell('writing', done, wanted.length);
      await turns.next();
    }
    proposeSlots({ db: store.db, now: store.now }, redactAll(slotsOf(archive), {}), from);
  } finally {
    archive.close();
  }
  return merged(comparison, conflicts);
}

/** Fields that an import decides itself; where only these differ, the note came in before. */
const DECIDED: ReadonlySet<string> = new Set([
  'status',
  'isLatest',
  'supersededBy',
  'scope',
  'confidence',
  'metadata',
] satisfies Array<keyof Note>);

const saysTheSame = (ours: Note, theirs: Note) =>
  (Object.keys(theirs) as Array<keyof Note>).every(
    (field) => DECIDED.has(field) || isDeepStrictEqual(ours[field], theirs[field]),
  );

/** A note as it may come in: without secrets, and waiting in the Inbox if it was in use. */
function foreign(note: Note, from: string): Note {
  const entering = foreignNote(redactAll(note, {}), 'proposed');
  return { ...entering, metadata: { ...entering.metadata, imported: from } };
}
