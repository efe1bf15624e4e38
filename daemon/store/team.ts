import { DaemonError } from '#contract/errors.ts';
import type { TeamPolicy } from '#contract/team.ts';
import type { ReadableDb, WritableDb } from './db.ts';

export interface SpaceRow {
  name: string;
  url: string;
  everything: number;
  cursor: number;
  cursorRev: string;
  joinedAt: number;
}

/** Which note of a space is which note here. */
export interface TeamNote {
  space: string;
  noteId: string;
  localId: string;
  rev: string;
  author: string;
  at: number;
  role: 'own' | 'copy' | 'proof' | 'gone';
  /** Of its words when it was last in step with the space; other words here mean an edit. */
  hash: string;
}

export interface OutboxRow {
  id: number;
  space: string;
  rev: string;
  noteId: string;
  localId: string;
  parent: string | null;
  kind: 'create' | 'update' | 'archive' | 'delete';
  project: string;
  everywhere: number;
  note: string | null;
  hash: string;
}

const SPACE = 'name, url, everything, cursor, cursor_rev AS cursorRev, joined_at AS joinedAt';
const NOTE = 'space, note_id AS noteId, local_id AS localId, rev, author, at, role, hash';
const OUTBOX =
  'id, space, rev, note_id AS noteId, local_id AS localId, parent, kind, project, everywhere, note, hash';

/** The spaces on servers; folders of git are brought in step when a person asks. */
export const listSpaces = (db: ReadableDb): SpaceRow[] =>
  db.rows<SpaceRow>(`SELECT ${SPACE} FROM team_space WHERE url NOT LIKE 'git:%' ORDER BY name`);

export const findSpace = (db: ReadableDb, name: string): SpaceRow | undefined =>
  db.row<SpaceRow>(`SELECT ${SPACE} FROM team_space WHERE name = ?`, name);

export function getSpace(db: ReadableDb, name: string): SpaceRow {
  const space = findSpace(db, name);
  if (!space) throw new DaemonError('not-found', `You are not in a space “${name}”.`);
  return space;
}

/** The named space, or the only one. */
export function onlySpace(db: ReadableDb, name: string | undefined): SpaceRow {
  if (name !== undefined) return getSpace(db, name);
  const [first, ...others] = listSpaces(db);
  if (!first) throw new DaemonError('not-found', 'You are in no space yet; `reflect team join` enters one.');
  if (others.length > 0)
    throw new DaemonError(
      'bad-input',
      `You are in several spaces; name one: ${[first, ...others].map(({ name: each }) => each).join(', ')}.`,
    );
  return first;
}

export function addSpace(
  db: WritableDb,
  space: Pick<SpaceRow, 'name' | 'url' | 'joinedAt'> & { everything: boolean },
): void {
  db.insert('INTO team_space (name, url, everything, joined_at)', space);
}

/** Everything this machine knows of a space goes; the notes are decided about before. */
export function removeSpace(db: WritableDb, name: string): void {
  db.run('DELETE FROM team_space WHERE name = ?', name);
}

export function moveCursor(db: WritableDb, name: string, cursor: number, rev: string): void {
  db.run('UPDATE team_space SET cursor = ?, cursor_rev = ? WHERE name = ?', [cursor, rev, name]);
}

export const findTeamNote = (db: ReadableDb, space: string, noteId: string): TeamNote | undefined =>
  db.row<TeamNote>(`SELECT ${NOTE} FROM team_note WHERE space = ? AND note_id = ?`, [space, noteId]);

/** The note of the space that this learning is; a learning that only says the same as one is none. */
export const teamNoteOf = (db: ReadableDb, space: string, localId: string): TeamNote | undefined =>
  db.row<TeamNote>(
    `SELECT ${NOTE} FROM team_note WHERE space = ? AND local_id = ? AND role IN ('own', 'copy')`,
    [space, localId],
  );

export const teamNotes = (db: ReadableDb, space: string, role: TeamNote['role']): TeamNote[] =>
  db.rows<TeamNote>(`SELECT ${NOTE} FROM team_note WHERE space = ? AND role = ?`, [space, role]);

export function dropTeamNote(db: WritableDb, space: string, noteId: string): void {
  db.run('DELETE FROM team_note WHERE space = ? AND note_id = ?', [space, noteId]);
}

export interface OwnNote extends Pick<TeamNote, 'localId' | 'hash'> {
  /** Null for a note that was deleted here since. */
  updatedAt: number | null;
  live: number | null;
}

/** The notes that were published from here and may be offered again, with what tells whether they changed since. */
export const ownNotes = (db: ReadableDb, space: string): OwnNote[] =>
  db.rows<OwnNote>(
    `SELECT local_id AS localId, hash, updated_at AS updatedAt, live
     FROM team_note LEFT JOIN learning ON learning.id = local_id WHERE space = ? AND role = 'own'
       AND NOT EXISTS (SELECT 1 FROM team_declined AS kept WHERE kept.space = team_note.space AND kept.local_id = team_note.local_id)`,
    space,
  );

export function putTeamNote(db: WritableDb, note: TeamNote): void {
  db.insert('OR REPLACE INTO team_note (space, note_id, local_id, rev, author, at, role, hash)', note);
}

export function countTeamNotes(db: ReadableDb, space: string): Record<TeamNote['role'], number> {
  const rows = db.rows<{ role: TeamNote['role']; count: number }>(
    'SELECT role, count(*) AS count FROM team_note WHERE space = ? GROUP BY role',
    space,
  );
  return {
    own: 0,
    copy: 0,
    proof: 0,
    gone: 0,
    ...Object.fromEntries(rows.map(({ role, count }) => [role, count])),
  };
}

export function addToOutbox(db: WritableDb, row: Omit<OutboxRow, 'id'>): void {
  db.insert(
    'INTO team_outbox (space, rev, note_id, local_id, parent, kind, project, everywhere, note, hash)',
    row,
  );
}

export const nextInOutbox = (db: ReadableDb, space: string): OutboxRow | undefined =>
  db.row<OutboxRow>(`SELECT ${OUTBOX} FROM team_outbox WHERE space = ? ORDER BY id LIMIT 1`, space);

export const countOutbox = (db: ReadableDb, space: string): number =>
  db.count('SELECT count(*) FROM team_outbox WHERE space = ?', space);

/** True when an own revision of the note is still to be sent. */
export const isUnsent = (db: ReadableDb, space: string, noteId: string): boolean =>
  db.has('SELECT 1 FROM team_outbox WHERE space = ? AND note_id = ?', [space, noteId]);

/** True when what is to be sent was made of this revision. */
export const isBaseOfUnsent = (
  db: ReadableDb,
  space: string,
  { noteId, rev }: Pick<TeamNote, 'noteId' | 'rev'>,
): boolean =>
  db.has('SELECT 1 FROM team_outbox WHERE space = ? AND note_id = ? AND parent = ?', [space, noteId, rev]);

export function dropFromOutbox(db: WritableDb, space: string, noteId: string, rev?: string): void {
  db.run(
    'DELETE FROM team_outbox WHERE space = :space AND note_id = :noteId AND (:rev IS NULL OR rev = :rev)',
    {
      space,
      noteId,
      rev: rev ?? null,
    },
  );
}

export interface Refusal {
  title: string;
  why: string;
  at: number;
}

export function addRefusal(db: WritableDb, space: string, noteId: string, refusal: Refusal): void {
  db.insert('OR REPLACE INTO team_refused (space, note_id, title, why, at)', { space, noteId, ...refusal });
}

export const clearRefusal = (db: WritableDb, space: string, noteId: string): void =>
  void db.run('DELETE FROM team_refused WHERE space = ? AND note_id = ?', [space, noteId]);

export const listRefusals = (db: ReadableDb, space: string): Array<Refusal & { noteId: string }> =>
  db.rows<Refusal & { noteId: string }>(
    'SELECT note_id AS noteId, title, why, at FROM team_refused WHERE space = ? ORDER BY at DESC LIMIT 50',
    space,
  );

export function setPolicy(db: WritableDb, space: string, project: string, policy: TeamPolicy): void {
  db.upsert('INTO team_project (space, project, policy)', 'space, project', { space, project, policy });
}

export const listPolicies = (db: ReadableDb, space: string): Array<{ project: string; policy: TeamPolicy }> =>
  db.rows<{ project: string; policy: TeamPolicy }>(
    'SELECT project, policy FROM team_project WHERE space = ? ORDER BY project',
    space,
  );

/** Projects whose earlier notes were not fetched yet. */
export function unfollowed(db: ReadableDb, space: string, projects: readonly string[]): string[] {
  const known = new Set(
    db.values<string>('SELECT project FROM team_project WHERE space = ? AND followed = 1', space),
  );
  return projects.filter((project) => !known.has(project));
}

export function markFollowed(db: WritableDb, space: string, projects: readonly string[]): void {
  for (const project of projects)
    db.upsert('INTO team_project (space, project, followed)', 'space, project', {
      space,
      project,
      followed: true,
    });
}

export function decline(db: WritableDb, space: string, localId: string, declined = true): void {
  const change = declined
    ? 'INSERT OR IGNORE INTO team_declined (space, local_id) VALUES (?, ?)'
    : 'DELETE FROM team_declined WHERE space = ? AND local_id = ?';
  db.run(change, [space, localId]);
}

export interface Offer {
  id: string;
  title: string;
  project: string;
}

/**
 * Own notes that proved themselves: a person wrote, edited or confirmed them, they came up again, or they helped.
 * Guesses, candidates and preferences of a person are not offered, nor what belongs to no project or came from somebody
 * else.
 */
export const listOffers = (db: ReadableDb, space: string, policy: TeamPolicy, limit: number): Offer[] =>
  db.rows<Offer>(
    `SELECT learning.id, title, learning.project FROM learning
     LEFT JOIN learning_signal USING (seq)
     LEFT JOIN team_project ON team_project.space = :space AND team_project.project = learning.project
     WHERE live = 1 AND speculative = 0 AND learning.project <> '' AND branch IS NULL
       AND note ->> '$.scope' = 'project' AND type NOT IN ('preference', 'persona')
       AND note ->> '$.metadata.colleague' IS NULL
       AND coalesce(policy, 'ask') = :policy
       AND (successes > 0 OR helpful_count > 0 OR proof_count > 1
            OR EXISTS (SELECT 1 FROM change WHERE change.learning_id = learning.id AND actor IN ('person', 'hand')))
       AND NOT EXISTS (SELECT 1 FROM team_note WHERE team_note.space = :space AND local_id = learning.id)
       AND NOT EXISTS (SELECT 1 FROM team_declined WHERE team_declined.space = :space AND local_id = learning.id)
       AND NOT EXISTS (SELECT 1 FROM team_refused WHERE team_refused.space = :space AND team_refused.note_id = learning.id)
     ORDER BY updated_at DESC LIMIT :limit`,
    { space, policy, limit },
  );
