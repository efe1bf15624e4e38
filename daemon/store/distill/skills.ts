import type { Skill } from '#contract/skills.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, setMeta } from '../meta.ts';
import { CONFIRMED_SKILL } from '../columns.ts';
import { readStrings } from '../persisted-json.ts';

export interface IndexedSkill extends Skill {
  mtimeMs: number;
}

type Row = Omit<IndexedSkill, 'tags' | 'stale'> & { tags: string; stale: number };

const SELECT =
  'SELECT path, name, agent, tags, summary, root, mtime_ms AS mtimeMs, refreshed_at AS refreshedAt, stale FROM skill';
const toSkill = (row: Row): IndexedSkill => ({
  ...row,
  tags: readStrings(row.tags),
  stale: row.stale === 1,
});

/** The skills found in these roots ('' is the agents' home); null for all. */
export function skillsIn(db: ReadableDb, roots: string[] | null): IndexedSkill[] {
  return db
    .rows<Row>(
      `${SELECT} WHERE :roots IS NULL OR root IN (SELECT value FROM json_each(:roots)) ORDER BY root, name, path`,
      { roots },
    )
    .map(toSkill);
}

/** Clears the stale mark: the skill's file has changed since. */
export function putSkill(db: WritableDb, skill: Omit<IndexedSkill, 'stale'>): void {
  const waiting = db.run('DELETE FROM skill_refresh WHERE path = ?', skill.path).changes;
  const columns = 'INTO skill (path, name, agent, tags, summary, root, mtime_ms, refreshed_at, stale)';
  db.upsert(columns, 'path', { ...skill, stale: false });
  if (waiting > 0) db.changes.announce({ type: 'skill.settled', path: skill.path });
}

export function markSkillStale(db: WritableDb, path: string): void {
  db.run('UPDATE skill SET stale = 1 WHERE path = ?', path);
}

/** A skill to be brought up to date, and the learning that asks for it. */
interface SkillRefresh {
  path: string;
  at: number;
  learningId: string;
  reason: string;
}

/** False when a refresh of that skill is already queued. */
export function queueSkillRefresh(db: WritableDb, task: SkillRefresh): boolean {
  const { changes } = db.insert('OR IGNORE INTO skill_refresh (path, at, learning_id, reason)', task);
  if (changes > 0) db.changes.announce({ type: 'skill.outdated', path: task.path });
  return changes > 0;
}

export function skillRefreshes(db: ReadableDb): SkillRefresh[] {
  return db.rows<SkillRefresh>(
    'SELECT path, at, learning_id AS learningId, reason FROM skill_refresh ORDER BY at, path',
  );
}

const CONFIRMED = 'skill-confirmed:';

/**
 * A person confirms that a skill is right as it is, so nothing learned before makes it stale. Can be undone. False for
 * an unknown skill.
 */
export function confirmSkill(db: WritableDb, path: string, confirmed: boolean, now: number): boolean {
  const skill = db.row<Row>(`${SELECT} WHERE path = ?`, path);
  if (!skill) return false;
  db.transaction(() => {
    const set = db.prepare('UPDATE skill SET stale = :stale, refreshed_at = :refreshedAt WHERE path = :path');
    if (confirmed) {
      const tasks = skillRefreshes(db).filter((task) => task.path === path);
      setMeta(
        db,
        `${CONFIRMED}${path}`,
        CONFIRMED_SKILL.write({ stale: skill.stale, refreshedAt: skill.refreshedAt, tasks }),
      );
      set.run({ path, stale: 0, refreshedAt: now });
      db.run('DELETE FROM skill_refresh WHERE path = ?', path);
      db.changes.announce({ type: 'skill.settled', path });
    } else {
      const before = getMeta(db, `${CONFIRMED}${path}`);
      if (!before) return;
      const { tasks, ...was } = CONFIRMED_SKILL.read(before);
      set.run({ path, ...was });
      for (const task of tasks) queueSkillRefresh(db, task);
      db.changes.announce({ type: 'skill.outdated', path });
    }
  })();
  return true;
}

export function deleteSkills(db: WritableDb, paths: string[]): void {
  db.run('DELETE FROM skill WHERE path IN (SELECT value FROM json_each(?))', [paths]);
}

/** A skill Reflect wrote, with the hash of its file at that time. */
interface PromotedSkill {
  path: string;
  learningId: string;
  agent: string;
  hash: string;
  at: number;
}

const PROMOTED = 'SELECT path, learning_id AS learningId, agent, hash, at FROM promoted_skill';

export function promotedSkill(db: ReadableDb, path: string): PromotedSkill | null {
  return db.row<PromotedSkill>(`${PROMOTED} WHERE path = ?`, path) ?? null;
}

export function listPromotedSkills(db: ReadableDb): PromotedSkill[] {
  return db.rows<PromotedSkill>(`${PROMOTED} ORDER BY path`);
}

export function putPromotedSkill(db: WritableDb, skill: PromotedSkill): void {
  db.insert('OR REPLACE INTO promoted_skill (path, learning_id, agent, hash, at)', skill);
}

export function forgetPromotedSkill(db: WritableDb, path: string): void {
  db.run('DELETE FROM promoted_skill WHERE path = ?', path);
}
