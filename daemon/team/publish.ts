import { randomUUID } from 'node:crypto';
import type { Learning } from '#contract/entities.ts';
import type { TeamOutgoing, TeamRole } from '#contract/team.ts';
import { findLearning, getLearning, noteOf } from '../store/learnings/learnings.ts';
import { latestForm, openQuestionAmong } from '../store/learnings/questions.ts';
import { isLive } from '../store/learnings/searchable.ts';
import type { Store } from '../store/learnings/write.ts';
import {
  addToOutbox,
  clearRefusal,
  decline,
  dropFromOutbox,
  type OutboxRow,
  putTeamNote,
  teamNoteOf,
  type TeamNote,
} from '../store/team.ts';
import { ARCHIVED, hashOf, outgoing, type SharedNote } from './shared-note.ts';

export interface Publishing {
  store: Store;
  space: string;
  login: string;
  role: TeamRole | null;
}

interface Plan extends TeamOutgoing {
  known: TeamNote | undefined;
  learning: Learning;
  /** As it leaves; removing secrets takes longest, so it is done once. */
  note: SharedNote;
}

/** The notes that publishing would send, word for word, and those that stay and why. Nothing is stored. */
export const planPublishing = (parts: Publishing, ids: readonly string[]): Plan[] =>
  [...new Set(ids.map((id) => latestForm(parts.store.db, id)))].map((id) =>
    planOne(parts, getLearning(parts.store.db, id)),
  );

export const asShown = ({ known: _, learning: __, note: ___, ...shown }: Plan): TeamOutgoing => shown;

function planOne(parts: Publishing, learning: Learning): Plan {
  const note = noteOf(learning);
  const known = teamNoteOf(parts.store.db, parts.space, learning.id);
  const shared = outgoing(note);
  return {
    id: learning.id,
    title: shared.title,
    project: learning.project,
    kind: known ? (isLive(learning) ? 'update' : 'archive') : 'create',
    staysBecause: reasonToStay(parts, learning, known),
    text: textOf(shared),
    known,
    learning,
    note: shared,
  };
}

function reasonToStay(
  { store, space, role }: Publishing,
  learning: Learning,
  known: TeamNote | undefined,
): string | null {
  if (role === 'reader') return `you may only read in ${space}`;
  if (!isLive(learning) && !(known?.role === 'own' && known.hash !== ARCHIVED))
    return `it is ${learning.status}`;
  if (openQuestionAmong(store.db, learning.id)) return 'it has an open question in the Inbox';
  const isForAll = learning.scope === 'global' || learning.project === '';
  if (isForAll && role !== 'curator')
    return 'it belongs to no single project, and only a curator publishes for all';
  if (learning.branch !== null) return `it belongs to the branch ${learning.branch}`;
  if (!known && typeof learning.metadata.colleague === 'string')
    return `it is a note of ${learning.metadata.colleague}`;
  if (known?.role === 'copy' && role !== 'curator')
    return `it is a note of ${known.author}, and only a curator changes it`;
  if (known && isLive(learning) && known.hash === hashOf(noteOf(learning)))
    return `it is in ${space} already`;
  return null;
}

const asWords = (value: unknown): string =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

const textOf = (shared: object): string =>
  Object.entries(shared)
    .filter(([, value]) =>
      typeof value === 'string' ? value !== '' : Array.isArray(value) && value.length > 0,
    )
    .map(([field, value]) => `${field}: ${asWords(value)}`)
    .join('\n');

/** Puts the notes into the outbox, from which they go to the server; called inside a transaction. */
export function queuePublishing(parts: Publishing, plans: readonly Plan[]): number {
  const going = plans.filter(({ staysBecause }) => staysBecause === null);
  for (const { known, kind, learning, note } of going)
    queue(parts, learning, known, { kind, note: JSON.stringify(note) });
  return going.length;
}

/**
 * Retracts a note from everybody: an own one, or for a curator anybody's. What waits to be sent of it never leaves;
 * the server is told in any case, because it may have an attempt whose answer got lost.
 */
export function queueRetraction(parts: Publishing, known: TeamNote): void {
  const { store } = parts;
  dropFromOutbox(store.db, parts.space, known.noteId);
  addToOutbox(store.db, {
    space: parts.space,
    rev: randomUUID(),
    noteId: known.noteId,
    localId: known.localId,
    parent: known.rev,
    kind: 'delete',
    // The server keeps the project of the first revision; a curator's note for all has none.
    project: findLearning(store.db, known.localId)?.project || 'none',
    everywhere: 0,
    note: null,
    hash: '',
  });
}

/**
 * Sends a revision again that the server lost when it was restored from a backup; `head` is what it has of the note
 * now.
 */
export function queueAgain(parts: Publishing, known: TeamNote, head: string | null): void {
  const learning = findLearning(parts.store.db, latestForm(parts.store.db, known.localId));
  if (!learning) return; // deleted here since
  const note = JSON.stringify(outgoing(noteOf(learning)));
  queue(parts, learning, { ...known, rev: head ?? '' }, { kind: head ? 'update' : 'create', note });
}

function queue(
  { store, space, login }: Publishing,
  learning: Learning,
  known: TeamNote | undefined,
  { kind, note }: Pick<OutboxRow, 'kind' | 'note'>,
): void {
  const rev = randomUUID();
  const noteId = known?.noteId ?? rev;
  const hash = kind === 'archive' ? ARCHIVED : hashOf(noteOf(learning));
  const everywhere = learning.scope === 'global' || learning.project === '' ? 1 : 0;
  const project = everywhere ? '' : learning.project;
  addToOutbox(store.db, {
    space,
    rev,
    noteId,
    localId: learning.id,
    parent: known?.rev || null,
    kind,
    project,
    everywhere,
    note,
    hash,
  });
  clearRefusal(store.db, space, learning.id);
  decline(store.db, space, learning.id, false);
  putTeamNote(store.db, {
    space,
    noteId,
    localId: learning.id,
    rev,
    author: known?.author ?? login,
    at: known?.at ?? 0,
    role: known?.role ?? 'own',
    hash,
  });
}
