import { expect, test } from 'vitest';
import { skillsIn } from '../distill/skills.ts';
import { findSlot, slotHistory } from '../learnings/slots.ts';
import { storeAt } from './testing.ts';

test('slots and skills of version 2 are kept; slots get a history and skills belong to no project', () => {
  const { db, upgrade } = storeAt(2);
  db.exec(`
    INSERT INTO slot (project, name, content, description, size_limit, updated_at) VALUES ('', 'persona', 'Ada', '', 1000, 7);
    INSERT INTO skill (path, name, agent, summary, mtime_ms, refreshed_at) VALUES ('/s/SKILL.md', 's', 'codex', 'Says', 1, 1);
  `);
  upgrade();
  expect(findSlot(db, '', 'persona')).toMatchObject({ content: 'Ada', sizeLimit: 1000, position: 0 });
  expect(slotHistory(db, '', 'persona')).toEqual([]);
  expect(skillsIn(db, null)).toMatchObject([{ name: 's', root: '', stale: false }]);
});
