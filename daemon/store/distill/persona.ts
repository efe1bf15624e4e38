import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';

/** A fact about how a project does things, distilled from many observations. */
export interface PersonaFact {
  field: string;
  value: string;
  confidence: number;
  sources: string[];
}

export function personaOf(db: ReadableDb, project: string): PersonaFact[] {
  return db
    .rows<Omit<PersonaFact, 'sources'> & { sources: string }>(
      'SELECT field, value, confidence, sources FROM persona WHERE project = ? ORDER BY confidence DESC, field',
      project,
    )
    .map((row) => ({ ...row, sources: readStrings(row.sources) }));
}

export function putPersonaFact(
  db: WritableDb,
  project: string,
  { field, value, confidence, sources }: PersonaFact,
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
