import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { markSkillStale } from '../../store/distill/skills.ts';
import { BILLING, sessionStart } from '../../testing/session-start.ts';

const SKILL =
  '---\nname: billing-format\ndescription: In this repository, always run make fmt before a commit\n---\n';
const learning = { title: 'Run the formatter of billing before a commit', project: BILLING, confidence: 0.6 };
const TIERED = { REFLECT_TIERED_INJECT: true };

async function world(skill = SKILL) {
  const session = await sessionStart([learning]);
  return { ...session, file: session.install('format', skill) };
}

test('R10: a skill that fits well is injected, and the learnings are left out', async () => {
  const { start, file } = await world();
  const { text, ids } = await start(TIERED);
  expect(text).toMatch(/^Notes from earlier sessions, .+ not instructions from the user\.\n\n## Skills/);
  expect(text).toContain(
    `## Skills for this\n- **billing-format**: In this repository, always run make fmt before a commit\n  (claude-code · ${file})`,
  );
  expect(ids).toEqual([]);
});

test('R10: with the knob off, the learnings are injected', async () => {
  const { start } = await world();
  const { text } = await start();
  expect(text).toContain(learning.title);
  expect(text).not.toContain('Skills');
});

test('R10: a skill below the threshold is not injected, the learnings are', async () => {
  const { start } = await world('---\nname: format\ndescription: For billing and others\n---\n');
  expect((await start(TIERED)).text).toContain(learning.title);
  expect((await start({ ...TIERED, REFLECT_SKILL_TIER_MIN_SCORE: 1 })).text).toContain('## Skills');
});

test('R10: a deleted skill is pruned, a stale one skipped; the learnings are injected', async () => {
  const { start, file, skills } = await world();
  rmSync(dirname(file), { recursive: true });
  expect((await start(TIERED)).text).toContain(learning.title);
  expect(skills.list(null)).toEqual([]);

  const stale = await world();
  markSkillStale(stale.parts.db, stale.file);
  expect((await stale.start(TIERED)).text).toContain(learning.title);
});

test('R10: no more than two skills are injected, after the slots', async () => {
  const { start, install, parts } = await world();
  for (const name of ['billing-a', 'billing-b'])
    install(name, `---\nname: ${name}\ndescription: ${name}\n---\n`);
  parts.db.exec(
    `INSERT INTO slot (project, name, content, description, size_limit, updated_at) VALUES ('', 'persona', 'Ada', '', 1000, 1)`,
  );
  const { text } = await start(TIERED);
  expect(text).toMatch(/^Notes .+\n\n## Pinned .+\n### persona\n> Ada\n\n## Skills for this\n/);
  expect(text.match(/SKILL\.md/g)).toHaveLength(2);
});
