import type { Note } from '#contract/entities.ts';
import type { WritableDb } from './db.ts';

/** Entities and edges a note draws, replaced as a whole whenever the note is written. */
export function replaceGraph(db: WritableDb, seq: number, note: Note, now: number): void {
  db.prepare('DELETE FROM learning_entity WHERE seq = ?').run(seq);
  db.prepare('DELETE FROM relation WHERE seq = ?').run(seq);
  const link = db.prepare('INSERT OR IGNORE INTO learning_entity (entity, seq) VALUES (?, ?)');
  for (const { name, type, description } of note.entities) link.run(entityId(db, name, type, description), seq);
  const relate = db.prepare(`
    INSERT INTO relation (seq, source, target, type, description, strength, committed_at, valid_from, valid_to)
    VALUES (:seq, :source, :target, :type, :description, :strength, :committedAt, :validFrom, :validTo)
  `);
  for (const { source, target, type, description, strength, committedAt, validFrom, validTo } of note.relations) {
    const committed = committedAt ?? now;
    relate.run({
      seq, type, description, strength, committedAt: committed, validFrom: validFrom ?? committed, validTo,
      source: entityId(db, source, 'concept', ''), target: entityId(db, target, 'concept', ''),
    });
  }
}

function entityId(db: WritableDb, name: string, type: string, description: string): number {
  db.prepare('INSERT OR IGNORE INTO entity (name, type, description) VALUES (?, ?, ?)').run(name, type, description);
  return db.prepare<[string], number>('SELECT id FROM entity WHERE name = ?').pluck().get(name) as number;
}
