import type { Conventions } from '#contract/distill.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

type ConventionsRow = Pick<Conventions, 'project' | 'observations' | 'refreshedAt' | 'stale'>;

const SELECT = 'SELECT project, observations, refreshed_at AS refreshedAt, stale FROM conventions_doc';

type Row = Omit<ConventionsRow, 'stale'> & { stale: number };
const toRow = (row: Row): ConventionsRow => ({ ...row, stale: row.stale === 1 });

export function conventionsOf(db: ReadableDb, project: string): ConventionsRow | null {
  const row = db.row<Row>(`${SELECT} WHERE project = ?`, project);
  return row ? toRow(row) : null;
}

export function staleConventions(db: ReadableDb): string[] {
  return db.rows<Row>(`${SELECT} WHERE stale = 1 ORDER BY project`).map(({ project }) => project);
}

/** Documents that are still stale although their observations have not changed since then. */
export function lingeringConventions(db: ReadableDb, since: number): ConventionsRow[] {
  return db
    .rows<Row>(
      `${SELECT} WHERE stale = 1 AND EXISTS (SELECT 1 FROM observation WHERE observation.project IN (conventions_doc.project, ''))
       AND NOT EXISTS (SELECT 1 FROM observation WHERE observation.project IN (conventions_doc.project, '') AND updated_at > :since) ORDER BY project`,
      { since },
    )
    .map(toRow);
}

/** Marks the documents that contain a project's observations as stale: its own, or all of them for global ones. */
export function outdateConventions(db: WritableDb, project: string): void {
  db.run(
    'INSERT INTO conventions_doc (project) VALUES (?) ON CONFLICT (project) DO UPDATE SET stale = 1',
    project,
  );
  if (project === '') db.run('UPDATE conventions_doc SET stale = 1');
  db.changes.announce({ type: 'conventions.changed', project: project === '' ? null : project });
}

export function conventionsWritten(db: WritableDb, project: string, observations: number, at: number): void {
  const written = { project, observations, refreshedAt: at, stale: false };
  db.upsert('INTO conventions_doc (project, observations, refreshed_at, stale)', 'project', written);
  db.changes.announce({ type: 'conventions.changed', project });
}

/** After all observations were replaced: every document is stale, and projects without observations lose theirs. */
export function outdateAllConventions(db: WritableDb): void {
  db.exec(`
    DELETE FROM conventions_doc;
    INSERT INTO conventions_doc (project) SELECT DISTINCT project FROM observation;
  `);
  db.changes.announce({ type: 'conventions.changed', project: null });
}
