import type { WritableDb } from '../db.ts';
import { ERASED } from '../capture/sessions.ts';
import { forgetVectors } from '../search/vectors.ts';

/** Everything to be deleted for good: notes by id, and all that is known of sessions and projects. */
export interface Erasure {
  learnings: readonly string[];
  sessions: readonly string[];
  projects: readonly string[];
}

/** The parts of the database that an erasure names, found before anything is deleted. */
export interface ErasedParts {
  learnings: Array<{ seq: number; id: string; title: string }>;
  moments: number[];
  sessions: string[];
  projects: string[];
}

/** Finds the notes and moments of the sessions and projects, also notes that other sessions only confirmed. */
export function findErased(db: WritableDb, { learnings, sessions, projects }: Erasure): ErasedParts {
  const find = (condition: string, lists: Partial<Erasure>) =>
    db.rows<ErasedParts['learnings'][number]>(
      `SELECT seq, id, title FROM learning WHERE ${condition}`,
      parameters(lists),
    );
  const named = find(
    `${among('id', 'learnings')} OR ${among('project', 'projects')} OR ${among(`note ->> '$.provenance.session'`, 'sessions')}`,
    { learnings, sessions, projects },
  );
  // A proposed principle is worded by one of its sources; from what is left another may be proposed.
  const proposed = find(
    `note ->> '$.type' = 'principle' AND status = 'proposed' AND NOT ${among('id', 'learnings')}
      AND EXISTS (SELECT 1 FROM json_each(note, '$.metadata.sources') WHERE ${among('json_each.value', 'learnings')})`,
    { learnings: named.map(({ id }) => id) },
  );
  const notes = [...named, ...proposed];
  const given = parameters({ learnings: notes.map(({ id }) => id), sessions, projects });
  return {
    learnings: notes,
    moments: db.values<number>(
      `SELECT id FROM capture_window
       WHERE ${among('session', 'sessions')} OR ${among('project', 'projects')} OR ${among('learning_id', 'learnings')}
         OR id IN (SELECT chunk FROM chunk_learning WHERE ${among('learning_id', 'learnings')})`,
      given,
    ),
    sessions: [...sessions],
    projects: [...projects],
  };
}

/** Deletes the rows, in one transaction with the row that says that something was deleted, and not what. */
export function eraseRows(db: WritableDb, erased: ErasedParts, now: number): void {
  const given = parameters({
    learnings: erased.learnings.map(({ id }) => id),
    moments: erased.moments,
    sessions: erased.sessions,
    projects: erased.projects,
  });
  const run = (sql: string) => db.run(sql, given);
  db.transaction(() => {
    const lastChange = db.value<number>('SELECT coalesce(max(id), 0) FROM change') ?? 0;
    eraseHistory(run);
    for (const [table, ...columns] of BY_COLUMN)
      run(`DELETE FROM ${table} WHERE ${columns.map(([column, list]) => among(column, list)).join(' OR ')}`);
    for (const { seq } of erased.learnings) {
      for (const index of ['learning_fts', 'learning_typed'])
        db.run(`DELETE FROM ${index} WHERE rowid = ?`, seq);
      forgetVectors(db, seq);
    }
    run(`DELETE FROM learning WHERE ${among('id', 'learnings')}`);
    for (const { id } of erased.learnings) db.changes.announce({ type: 'learning.erased', id });
    eraseDistilled(run);
    blankMoments(run);
    blankSessions(run);
    db.run(
      'DELETE FROM entity WHERE id NOT IN (SELECT entity FROM learning_entity UNION SELECT source FROM relation UNION SELECT target FROM relation)',
    );
    db.run(
      'DELETE FROM shard WHERE id NOT IN (SELECT shard FROM learning) AND project IN (SELECT value FROM json_each(?))',
      [given.projects],
    );
    // Ids of changes are never used again: caches and undo tell versions apart by them.
    const { lastInsertRowid } = db.run(
      `INSERT INTO change (id, at, actor, kind, learning_id, reason, fields)
        VALUES (?, ?, 'person', 'archive', '', 'deleted for good', '[]')`,
      [lastChange + 1, now],
    );
    db.run('UPDATE change SET undone_by = id WHERE id = ?', Number(lastInsertRowid)); // nothing to undo
  })();
}

type Run = (sql: string) => unknown;
type List = 'learnings' | 'moments' | 'sessions' | 'projects';

const among = (column: string, list: List) => `${column} IN (SELECT value FROM json_each(:${list}))`;

function parameters(lists: Partial<Record<List, readonly unknown[]>>): Record<List, readonly unknown[]> {
  const { learnings = [], moments = [], sessions = [], projects = [] } = lists;
  // A row without a session or project has '' there, which is nobody's.
  return { learnings, moments, sessions: sessions.filter(Boolean), projects: projects.filter(Boolean) };
}

/** Rows that are deleted where a column names a note, a session or a project; rows of the note itself go with it. */
const BY_COLUMN: ReadonlyArray<[table: string, ...columns: Array<[column: string, list: List]>]> = [
  ['merge_question', ['existing_id', 'learnings'], ['incoming_id', 'learnings']],
  ['review', ['learning_id', 'learnings'], ['session', 'sessions']],
  ['session_use', ['learning_id', 'learnings'], ['session', 'sessions'], ['project', 'projects']],
  ['recall_log', ['session', 'sessions'], ['project', 'projects']],
  ['gap', ['session', 'sessions'], ['project', 'projects']],
  ['live_session', ['session', 'sessions'], ['project', 'projects']],
  ['nudge', ['session', 'sessions'], ['moment', 'moments']],
  ['effect', ['session', 'sessions']],
  ['recurrence', ['session', 'sessions'], ['project', 'projects']],
  ['commit_link', ['session', 'sessions'], ['project', 'projects']],
  ['history_entry', ['session', 'sessions'], ['project', 'projects']],
  ['promoted_skill', ['learning_id', 'learnings']],
  ['skill_refresh', ['learning_id', 'learnings']],
  ['team_outbox', ['local_id', 'learnings']],
  ['team_refused', ['note_id', 'learnings']],
  ['team_declined', ['local_id', 'learnings']],
  ['slot_change', ['project', 'projects']],
  ['slot', ['project', 'projects']],
  ['persona', ['project', 'projects']],
  ['conventions_doc', ['project', 'projects']],
  ['project', ['id', 'projects']],
];

function eraseHistory(run: Run): void {
  const gone = `(SELECT id FROM change WHERE ${among('learning_id', 'learnings')})`;
  run(`UPDATE change SET undone_by = id WHERE undone_by IN ${gone}`);
  run(`UPDATE change SET unit = NULL WHERE unit IN ${gone}`);
  run(`UPDATE merge_question SET answered_by = NULL WHERE answered_by IN ${gone}`);
  run(`UPDATE slot_change SET undone_by = NULL WHERE ${among('project', 'projects')}`);
  run(`UPDATE change SET undone_by = NULL, unit = NULL WHERE ${among('learning_id', 'learnings')}`);
  run(`DELETE FROM change WHERE ${among('learning_id', 'learnings')}`);
  const title = `(SELECT title FROM learning WHERE ${among('id', 'learnings')})`;
  run(`DELETE FROM history_entry WHERE text IN ${title}`); // a fact is in the log of events too
  const ofProjects = ['capture_window', 'known_session', 'live_session']
    .map((table) => `SELECT session FROM ${table} WHERE session <> '' AND ${among('project', 'projects')}`)
    .join(' UNION ');
  const ofEffect = `CASE WHEN json_valid(detail) THEN detail ->> '$.project' END`; // a voided moment is named by its key
  run(`DELETE FROM effect WHERE session IN (${ofProjects}) OR ${among(ofEffect, 'projects')}`);
  // A question repeats the words of the note it found, and the id of a note those of its title.
  run(
    `DELETE FROM recall_log WHERE EXISTS (SELECT 1 FROM json_each(ids) WHERE ${among('json_each.value', 'learnings')})`,
  );
  const traces = `(SELECT id FROM trace WHERE ${among('session', 'sessions')} OR ${among('project', 'projects')})`;
  run(`UPDATE review SET trace_id = NULL WHERE trace_id IN ${traces}`);
  run(`DELETE FROM trace WHERE id IN ${traces}`);
  run(`UPDATE trace SET retrieved = (
    SELECT json_group_array(value) FROM json_each(trace.retrieved) WHERE NOT ${among('value', 'learnings')}
  ) WHERE EXISTS (SELECT 1 FROM json_each(trace.retrieved) WHERE ${among('value', 'learnings')})`);
  run(`UPDATE trace SET memory_id = NULL WHERE ${among('memory_id', 'learnings')}`);
  const loops = `(SELECT id FROM loop WHERE ${among('project', 'projects')})`;
  run(`DELETE FROM loop_iteration WHERE loop_id IN ${loops}`);
  run(`DELETE FROM loop WHERE id IN ${loops}`);
  run(`UPDATE loop SET learning_id = NULL WHERE ${among('learning_id', 'learnings')}`);
}

/** Whatever was concluded from deleted notes: an observation goes when nothing else supports it. */
function eraseDistilled(run: Run): void {
  run(`UPDATE observation SET learnings = (
    SELECT json_group_array(value) FROM json_each(observation.learnings) WHERE value NOT IN (SELECT value FROM json_each(:learnings))
  ) WHERE EXISTS (SELECT 1 FROM json_each(observation.learnings) WHERE value IN (SELECT value FROM json_each(:learnings)))`);
  const gone = `(SELECT id FROM observation WHERE learnings = '[]' OR ${among('project', 'projects')})`;
  run(`DELETE FROM observation_history WHERE observation_id IN ${gone}`);
  run(`DELETE FROM observation WHERE id IN ${gone}`);
  run(`UPDATE corpus SET members = (
    SELECT json_group_array(value) FROM json_each(corpus.members) WHERE value NOT IN (SELECT value FROM json_each(:learnings))
  )`);
}

/** A moment leaves its key behind, so that it is not noticed again when its transcript is read once more. */
export const BLANK_MOMENT = `UPDATE capture_window SET chunk_hash = '', signal = '', session = '', transcript = '', project = '',
  branch = NULL, payload = '{}', state = 'dismissed', error = '', learning_id = NULL`;

function blankMoments(run: Run): void {
  run(`DELETE FROM chunk_learning WHERE ${among('chunk', 'moments')}`);
  run(
    `DELETE FROM writer_run WHERE window IN (SELECT key FROM capture_window WHERE ${among('id', 'moments')})`,
  );
  run(`${BLANK_MOMENT} WHERE ${among('id', 'moments')}`);
}

/** A session leaves its id behind, so that it is not listed again when its transcript is read once more. */
function blankSessions(run: Run): void {
  const blank = `agent = '', project = '', title = '', titled_at = ${ERASED}, seen_at = 0`;
  run(`UPDATE known_session SET ${blank} WHERE ${among('project', 'projects')}`);
  run(`INSERT INTO known_session (session, agent, project, title, titled_at, seen_at)
    SELECT value, '', '', '', ${ERASED}, 0 FROM json_each(:sessions) WHERE true ON CONFLICT DO UPDATE SET ${blank}`);
}
