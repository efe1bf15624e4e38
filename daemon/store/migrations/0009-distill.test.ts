import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { lastPass } from '../distill/consolidation.ts';
import { staleConventions } from '../distill/conventions.ts';
import { migrate } from '../migrate.ts';
import { listObservations } from '../distill/observations.ts';
import { personaOf } from '../distill/persona.ts';
import {
  listPromotedSkills,
  deleteSkills,
  putSkill,
  queueSkillRefresh,
  skillRefreshes,
} from '../distill/skills.ts';
import { storeAt } from './testing.ts';

test('a store of version 8 keeps its facts and skills and has distilled nothing yet', () => {
  const { db, upgrade } = storeAt(8);
  db.exec(`INSERT INTO persona (project, field, value, confidence, updated_at) VALUES ('p', 'testing_style', 'TDD', 1, 1);
    INSERT INTO skill (path, name, agent, summary, mtime_ms, refreshed_at) VALUES ('/a/SKILL.md', 'a', 'codex', '', 1, 1)`);
  upgrade();
  expect([
    lastPass(db),
    staleConventions(db),
    listObservations(db, null, null),
    listPromotedSkills(db),
    skillRefreshes(db),
  ]).toEqual([null, [], [], [], []]);
  expect(personaOf(db, 'p')).toMatchObject([{ field: 'testing_style' }]);
});

test('a skill waits to be refreshed once, and no longer when its file has changed or is gone', () => {
  const db = connect(':memory:');
  migrate(db, null);
  const skill = (path: string, mtimeMs: number) =>
    putSkill(db, {
      path,
      name: 'a',
      agent: 'codex',
      tags: [],
      summary: '',
      root: '',
      mtimeMs,
      refreshedAt: 1,
    });
  const task = (path: string) =>
    queueSkillRefresh(db, { path, at: 1, learningId: 'lrn-a', reason: 'update' });
  skill('/a', 1);
  skill('/b', 1);
  expect([task('/a'), task('/a'), task('/b')]).toEqual([true, false, true]);
  skill('/a', 2);
  deleteSkills(db, ['/b']);
  expect(skillRefreshes(db)).toEqual([]);
});
