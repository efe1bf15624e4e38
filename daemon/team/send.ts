import type { Client } from 'pg';
import type { Store } from '../store/learnings/write.ts';
import {
  addRefusal,
  dropFromOutbox,
  dropTeamNote,
  findTeamNote,
  type OutboxRow,
  putTeamNote,
} from '../store/team.ts';
import { explained, isLasting } from './server/connection.ts';
import { appendRevision } from './server/log.ts';
import { type Embedded, packVectors } from './vectors.ts';

interface Sending {
  store: Store;
  /** The embedders whose vectors are shared. */
  models: () => readonly Embedded[];
  client: Client;
  space: string;
  /** The id of the space on its server. */
  id: number;
  url: string;
}

/** Sends what was published here and takes it from the outbox. A refusal for good is shown, and not tried again. */
export async function sendRevision(
  { store, models, client, space, id, url }: Sending,
  row: OutboxRow,
): Promise<'sent' | 'conflict' | 'refused'> {
  const { db } = store;
  const { noteId, rev } = row;
  const vectors = row.kind === 'delete' ? [] : packVectors(db, row.localId, models());
  try {
    const revision = { ...row, everywhere: row.everywhere === 1, vectors };
    const { conflict, at } = await appendRevision(client, id, revision);
    db.transaction(() => {
      dropFromOutbox(db, space, noteId, rev);
      const known = findTeamNote(db, space, noteId);
      // Of two edits of one version ours came second: it counts as an edit, and what comes in next asks about it.
      if (known?.rev === rev)
        putTeamNote(db, { ...known, at, ...(conflict ? { rev: row.parent ?? '', hash: '', at: 0 } : {}) });
    })();
    return conflict ? 'conflict' : 'sent';
  } catch (error) {
    if (!isLasting(error)) throw error;
    giveUp(store, space, row, explained(error, url).message);
    return 'refused';
  }
}

/** The note stays here; why it was refused is shown until it is published again. */
function giveUp(
  { db, now }: Store,
  space: string,
  { noteId, rev, localId, parent, note }: OutboxRow,
  why: string,
): void {
  const title = note === null ? '' : (JSON.parse(note) as { title: string }).title;
  db.transaction(() => {
    dropFromOutbox(db, space, noteId, rev);
    addRefusal(db, space, localId, { title, why, at: now() });
    const known = findTeamNote(db, space, noteId);
    if (known?.rev !== rev) return;
    if (parent === null) dropTeamNote(db, space, noteId);
    else putTeamNote(db, { ...known, rev: parent, hash: '' });
  })();
}
