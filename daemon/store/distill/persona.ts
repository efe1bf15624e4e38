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

export function putPersonaFact(
  db: WritableDb,
  project: string,
  { field, value, confidence, sources }: Fact,
  now: number,
): void {
  db.prepare(`
    INSERT INTO persona (project, field, value, confidence, sources, updated_at) VALUES (:project, :field, :value, :confidence, :sources, :now)
    ON CONFLICT (project, field) DO UPDATE SET value = :value, confidence = :confidence, sources = :sources, updated_at = :now
  `).run({ project, field, value, confidence, sources: JSON.stringify(sources), now });
}

/** Deletes fields that no observation supports any more. */
export function dropPersonaFacts(db: WritableDb, project: string, kept: readonly string[]): void {
  db.prepare('DELETE FROM persona WHERE project = ? AND field NOT IN (SELECT value FROM json_each(?))').run(
    project,
    JSON.stringify(kept),
  );
}
