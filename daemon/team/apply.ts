import type { Learning, Note } from '#contract/entities.ts';
import { askWhichVersion } from '../archive/other-version.ts';
import { findRestated, prove } from '../knowledge/revise.ts';
import { suspicionsOf } from '../store/learnings/held.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { latestForm } from '../store/learnings/questions.ts';
import { isLive } from '../store/learnings/searchable.ts';
import {
  addLearning,
  changeLearning,
  proveLearning,
  type Reason,
  type Store,
} from '../store/learnings/write.ts';
import { findErased, eraseRows } from '../store/erase/rows.ts';
import { eraseDocuments } from '../store/erase/files.ts';
import { shardFor, shardsOf } from '../store/search/shards.ts';
import {
  addRefusal,
  clearRefusal,
  dropFromOutbox,
  findTeamNote,
  isBaseOfUnsent,
  isUnsent,
  putTeamNote,
  type TeamNote,
} from '../store/team.ts';
import type { Head } from './server/log.ts';
import { ARCHIVED, contentOf, hashOf, incoming, Unusable } from './shared-note.ts';
import { type Embedded, useVectors } from './vectors.ts';

interface Applying {
  store: Store;
  space: string;
  /** This person's own; their notes may come from another machine of theirs. */
  login: string;
  models: readonly Embedded[];
}

/**
 * Takes a colleague's revision in, by the rules for anything foreign. Called inside the transaction that moves the
 * cursor.
 */
export function applyHead(parts: Applying, head: Head): void {
  const { store, space } = parts;
  const known = findTeamNote(store.db, space, head.noteId);
  if (known?.rev === head.rev) return; // published from here, or taken in before
  if (isBaseOfUnsent(store.db, space, head)) return; // an edit of this very revision is on its way
  // A server restored from a backup shows older revisions again; what came after them here stays.
  if (known && known.role !== 'gone' && head.at < known.at) return;
  try {
    applyKind(parts, head, known);
    clearRefusal(store.db, space, head.noteId);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    addRefusal(store.db, space, head.noteId, {
      title: `a note of ${head.author}`,
      why: error.message,
      at: store.now(),
    });
  }
}

function applyKind(parts: Applying, head: Head, known: TeamNote | undefined): void {
  const here =
    known && known.role !== 'gone'
      ? findLearning(parts.store.db, latestForm(parts.store.db, known.localId))
      : null;
  if (head.kind === 'delete') retract(parts, head, known, here);
  // Deleted here for good, it stays deleted.
  else if (known && !here && known.role !== 'gone' && known.role !== 'proof') remember(parts, head, known);
  else if (!known || !here || known.role === 'proof' || known.role === 'gone') {
    if (head.kind === 'archive') remember(parts, head, { localId: '', role: 'gone', hash: '' });
    else ingest(parts, head);
  } else if (isEdited(parts, known, here)) askWhich(parts, head, known, here);
  else if (head.kind === 'archive') {
    if (isLive(here))
      changeLearning(
        parts.store,
        here.id,
        { status: 'archived' },
        why(parts, head, 'archive', 'archived it'),
      );
    remember(parts, head, { ...known, hash: ARCHIVED });
  } else bringUpToDate(parts, head, known, here);
}

const by = ({ space }: Applying, { author }: Head) => `${space}/${author}`;
const sourceOf = ({ space }: Applying, { noteId }: Head) => `team:${space}/${noteId}`;
const why = (parts: Applying, head: Head, kind: Reason['kind'], did: string): Reason => ({
  actor: by(parts, head),
  kind,
  reason: `${head.author} ${did} in ${parts.space}`,
  source: sourceOf(parts, head),
});

function remember(
  { store, space }: Applying,
  head: Head,
  rest: Pick<TeamNote, 'localId' | 'role' | 'hash'>,
): void {
  const { noteId, rev, author, at } = head;
  putTeamNote(store.db, {
    space,
    noteId,
    rev,
    author,
    at,
    localId: rest.localId,
    role: rest.role,
    hash: rest.hash,
  });
}

/** True when the note was changed here since it was last in step with the space. */
const isEdited = ({ store, space }: Applying, known: TeamNote, here: Learning) =>
  (known.hash !== ARCHIVED && hashOf(noteOf(here)) !== known.hash) || isUnsent(store.db, space, known.noteId);

/** A note that says what one here says is a proof of it; any other is a new note, in the folder of its space. */
function ingest(parts: Applying, head: Head): void {
  const { store, models, space } = parts;
  const note = incoming(head, space, parts.login);
  const isOwn = head.author === parts.login;
  const same = suspicionsOf(note).length === 0 ? restated(store, note) : null;
  if (same && isOwn) {
    remember(parts, head, { localId: same.id, role: 'own', hash: hashOf(note) });
    return;
  }
  const at = Math.min(head.at, store.now()); // a server's clock may be ahead
  const added = same
    ? null
    : addLearning(store, note, why(parts, head, 'create', 'published it'), { createdAt: at, updatedAt: at });
  if (added && added.changeId !== 0) {
    useVectors(store.db, added.learning.id, head.vectors, models);
    remember(parts, head, {
      localId: added.learning.id,
      role: isOwn ? 'own' : 'copy',
      hash: hashOf(noteOf(added.learning)),
    });
    return;
  }
  const proven = same ?? added?.learning;
  if (!proven) return;
  prove(store, proven, {
    actor: by(parts, head),
    reason: `${head.author} published the same to ${space}`,
    source: sourceOf(parts, head),
  });
  remember(parts, head, { localId: proven.id, role: 'proof', hash: '' });
}

function restated({ db }: Store, note: Note): Learning | null {
  const shards = new Set([
    shardFor(db, note),
    ...(note.scope === 'global' ? [] : shardsOf(db, note.project)),
  ]);
  return findRestated(db, note, [...shards], isLive);
}

function bringUpToDate(parts: Applying, head: Head, known: TeamNote, here: Learning): void {
  const { store, models } = parts;
  const { metadata, ...content } = contentOf(incoming(head, parts.space, parts.login));
  const revived: Partial<Note> = known.hash === ARCHIVED ? { status: 'active' } : {};
  // An own note that a curator edited stays an own note.
  const origin = known.role === 'copy' ? { metadata: { ...here.metadata, ...metadata } } : {};
  const { learning } = changeLearning(
    store,
    here.id,
    { ...content, ...origin, ...revived },
    why(parts, head, 'update', 'changed it'),
  );
  useVectors(store.db, learning.id, head.vectors, models);
  remember(parts, head, { ...known, localId: here.id, hash: hashOf(noteOf(learning)) });
}

/** Both versions stay: ours as it is, theirs beside it, and a person decides. Nothing of ours is sent until then. */
function askWhich(parts: Applying, head: Head, known: TeamNote, here: Learning): void {
  const { store, space } = parts;
  dropFromOutbox(store.db, space, head.noteId);
  if (head.kind === 'archive') {
    remember(parts, head, { ...known, localId: here.id });
    return;
  }
  const theirs = incoming(head, space, parts.login);
  askWhichVersion(
    store,
    { id: here.id, note: theirs, createdAt: head.at, updatedAt: head.at },
    by(parts, head),
  );
  remember(parts, head, { ...known, localId: here.id, hash: hashOf(theirs) });
}

/** A colleague's note goes for good, its file with it. A note of one's own, or one edited here, stays as one's own. */
function retract(parts: Applying, head: Head, known: TeamNote | undefined, here: Learning | null): void {
  const { store, space } = parts;
  dropFromOutbox(store.db, space, head.noteId);
  if (known?.role === 'proof' && here)
    proveLearning(store, here.id, { ...why(parts, head, 'prove', 'took the same note back'), proofs: -1 });
  if (known?.role === 'copy' && here && !isEdited(parts, known, here)) {
    const erased = findErased(store.db, { learnings: [here.id], sessions: [], projects: [] });
    eraseRows(store.db, erased, store.now());
    eraseDocuments(store.documents, erased);
  }
  remember(parts, head, { localId: '', role: 'gone', hash: '' });
}
