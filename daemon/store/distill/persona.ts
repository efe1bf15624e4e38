import type { PersonaFact } from '#contract/distill.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';

type Fact = Omit<PersonaFact, 'project'>;

export function personaOf(db: ReadableDb, project: string): Fact[] {
  return db
    .rows<Omit<Fact, 'sources'> & { sources: string }>(
      'SELECT field, value, confidence, sources FROM persona WHERE project = ? ORDER BY confidence DESC, field',
      project,
    )
    .map((row) => ({ ...row, sources: readStrings(row.sources) }));
}

export function putPersonaFact(db: WritableDb, project: string, fact: Fact, now: number): void {
  const columns = 'INTO persona (project, field, value, confidence, sources, updated_at)';
  db.upsert(columns, 'project, field', { ...fact, project, updatedAt: now });
}

/** Deletes fields that no observation supports any more. */
export function dropPersonaFacts(db: WritableDb, project: string, kept: readonly string[]): void {
  db.run('DELETE FROM persona WHERE project = ? AND field NOT IN (SELECT value FROM json_each(?))', [
    project,
    kept,
  ]);
}
