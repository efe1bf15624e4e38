import type { Note } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

/** The scope of a recall: one project with or without its branches, or everywhere. */
export interface Scope {
  project: string | null;
  branch: string | null;
  allBranches: boolean;
  everywhere: boolean;
  /** True to search candidates as well, which only a person may ask for. */
  candidates?: boolean;
}

const GLOBAL = { project: '', branch: '' };

/** Candidates have shards of their own, so that a search for learnings never reads them. */
export function shardFor(
  db: WritableDb,
  note: Pick<Note, 'project' | 'branch' | 'scope' | 'status'>,
): number {
  const { project, branch } =
    note.scope === 'global' ? GLOBAL : { project: note.project, branch: note.branch ?? '' };
  const key = { project, branch, candidate: note.status === 'candidate' };
  db.run(
    'INSERT OR IGNORE INTO shard (project, branch, candidate) VALUES (:project, :branch, :candidate)',
    key,
  );
  return db.value<number>(
    'SELECT id FROM shard WHERE project = :project AND branch = :branch AND candidate = :candidate',
    key,
  ) as number;
}

/** The shards in a scope; null for those of all learnings. Global ones are in every scope. */
export function shardsIn(
  db: ReadableDb,
  { project, branch, allBranches, everywhere, candidates = false }: Scope,
): number[] | null {
  if (everywhere && !candidates) return null;
  return db.values<number>(
    `SELECT id FROM shard
      WHERE candidate <= :candidates AND (
        :everywhere = 1
        OR (project = '' AND branch = '')
        OR (project = :project AND (branch = '' OR branch = :branch OR :all = 1))
      )`,
    {
      project: project ?? '',
      branch: branch ?? '',
      all: allBranches,
      everywhere,
      candidates,
    },
  );
}

/** The shards of a project's candidates, whatever their branch, with those of no project. */
export function candidateShards(db: ReadableDb, project: string): number[] {
  return db.values<number>(
    `SELECT id FROM shard WHERE candidate = 1 AND (project = ? OR (project = '' AND branch = ''))`,
    project,
  );
}

/** The shards of a project's learnings and those of all its branches, its own first. */
export function shardsOf(db: ReadableDb, project: string): number[] {
  return db.values<number>(
    'SELECT id FROM shard WHERE project = ? AND candidate = 0 ORDER BY branch',
    project,
  );
}

export function knownProjects(db: ReadableDb): string[] {
  return db.values<string>(`SELECT DISTINCT project FROM shard WHERE project <> ''`);
}
