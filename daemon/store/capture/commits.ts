import type { ReadableDb, WritableDb } from '../db.ts';

interface CommitLink {
  sha: string;
  session: string;
  /** The session was merely at work when a git hook told of the commit. */
  sessionGuessed?: boolean;
  project: string;
  branch: string;
  message: string;
  conflictResolved: boolean;
  at: number;
}

const COLUMNS =
  'sha, session, session_guessed AS sessionGuessed, project, branch, message, conflict_resolved AS conflictResolved, at';
type Row = Omit<CommitLink, 'conflictResolved' | 'sessionGuessed'> & {
  conflictResolved: number;
  sessionGuessed: number;
};
const toLink = (row: Row): CommitLink => ({
  ...row,
  conflictResolved: row.conflictResolved === 1,
  sessionGuessed: row.sessionGuessed === 1,
});

/**
 * Links a commit to its session, once. A hook knows the sha, a transcript the session: the later completes the row.
 * A session that was guessed gives way to one that tells of the commit itself; returns whether one just did.
 */
export function linkCommit(db: WritableDb, link: CommitLink): boolean {
  const known = findCommit(db, link.sha);
  if (!known) {
    db.insert(
      'INTO commit_link (sha, session, session_guessed, project, branch, message, conflict_resolved, at)',
      { ...link, sessionGuessed: link.sessionGuessed ?? false },
    );
    return false;
  }
  const isClaimed = link.session !== '' && !link.sessionGuessed;
  const owner = !known.session || (known.sessionGuessed && isClaimed) ? link : known;
  const sha = known.sha.length >= link.sha.length ? known.sha : link.sha;
  db.run(
    'UPDATE commit_link SET sha = ?, session = ?, session_guessed = ?, project = ?, branch = ? WHERE sha = ?',
    [
      sha,
      owner.session,
      owner.sessionGuessed ? 1 : 0,
      known.project || link.project,
      known.branch || link.branch,
      known.sha,
    ],
  );
  return known.sessionGuessed === true && owner === link && link.session !== known.session;
}

/** Finds a commit by its full or shortened sha. */
export function findCommit(db: ReadableDb, sha: string): CommitLink | null {
  const row = db.row<Row>(
    `SELECT ${COLUMNS} FROM commit_link WHERE substr(sha, 1, 7) = substr(:sha, 1, 7) AND (substr(sha, 1, length(:sha)) = :sha OR substr(:sha, 1, length(sha)) = sha)`,
    { sha },
  );
  return row ? toLink(row) : null;
}

/** The session last active in a project since then: a git hook cannot tell which session committed. */
export function sessionAtWork(db: ReadableDb, project: string, since: number): string {
  return (
    db.value<string>(
      'SELECT session FROM capture_window WHERE project = ? AND at >= ? ORDER BY at DESC LIMIT 1',
      [project, since],
    ) ?? ''
  );
}
