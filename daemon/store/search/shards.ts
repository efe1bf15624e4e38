import type { Note } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

/** The scope of a recall: one project with or without its branches, or everywhere. */
export interface Scope {
  project: string | null;
  branch: string | null;
  allBranches: boolean;
  everywhere: boolean;
}

const GLOBAL = { project: '', branch: '' };

export function shardFor(db: WritableDb, note: Pick<Note, 'project' | 'branch' | 'scope'>): number {
  const { project, branch } =
    note.scope === 'global' ? GLOBAL : { project: note.project, branch: note.branch ?? '' };
  db.prepare('INSERT OR IGNORE INTO shard (project, branch) VALUES (?, ?)').run(project, branch);
  return db
    .prepare<[string, string], number>('SELECT id FROM shard WHERE project = ? AND branch = ?')
    .pluck()
    .get(project, branch) as number;
}

/** The shards in a scope; null for all. Global ones are in every scope. */
export function shardsIn(
  db: ReadableDb,
  { project, branch, allBranches, everywhere }: Scope,
): number[] | null {
  if (everywhere) return null;
  return db
    .prepare<[{ project: string; branch: string; all: number }], number>(
      `
    SELECT id FROM shard
    WHERE (project = '' AND branch = '')
       OR (project = :project AND (branch = '' OR branch = :branch OR :all = 1))
  `,
    )
    .pluck()
    .all({ project: project ?? '', branch: branch ?? '', all: allBranches ? 1 : 0 });
}

export function knownProjects(db: ReadableDb): string[] {
  return db.prepare<[], string>(`SELECT DISTINCT project FROM shard WHERE project <> ''`).pluck().all();
}
