import type { ReadableDb, WritableDb } from '../db.ts';

/** A skill Reflect wrote, with the hash of its file at that time. */
interface PromotedSkill {
  path: string;
  learningId: string;
  agent: string;
  hash: string;
  at: number;
}

const SELECT = 'SELECT path, learning_id AS learningId, agent, hash, at FROM promoted_skill';

export function promotedSkill(db: ReadableDb, path: string): PromotedSkill | null {
  return db.row<PromotedSkill>(`${SELECT} WHERE path = ?`, path) ?? null;
}

export function listPromotedSkills(db: ReadableDb): PromotedSkill[] {
  return db.rows<PromotedSkill>(`${SELECT} ORDER BY path`);
}

export function putPromotedSkill(db: WritableDb, skill: PromotedSkill): void {
  db.insert('OR REPLACE INTO promoted_skill (path, learning_id, agent, hash, at)', skill);
}

export function forgetPromotedSkill(db: WritableDb, path: string): void {
  db.run('DELETE FROM promoted_skill WHERE path = ?', path);
}
