import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { memoryStore } from '../../testing/temp-home.ts';
import { markSkillStale, skillsIn } from '../../store/distill/skills.ts';
import { temporaryHome } from '../../testing/running-daemon.ts';
import { SkillsIndex } from './skills-index.ts';

function world() {
  const home = temporaryHome();
  const project = temporaryHome();
  const db = memoryStore();
  const index = new SkillsIndex({ db, home, now: () => 1_000, log: silentLog });
  const install = (path: string, text: string, root = home) => {
    const file = join(root, path, 'SKILL.md');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const names = (query: string, root: string | null = null) =>
    index.find(query, root, 10).map(({ skill, score }) => `${skill.name} ${score}`);
  return { home, project, db, index, install, names };
}

const FORMAT =
  '---\nname: make-fmt\ndescription: Always format before a commit\ntags: [formatting, hooks]\n---\n# How\n';

test('R20: the index built from disk gives a skill that is there, and not one that is not', () => {
  const { index, install, names } = world();
  install('.claude/skills/make-fmt', FORMAT);
  expect(index.refresh([])).toEqual({ found: 1, read: 1, removed: 0 });
  // make 2, hooks 2, commit 1
  expect(names('which hooks make a commit')).toEqual(['make-fmt 5']);
  expect(names('rotate the certificates')).toEqual([]);
});

test('R20: a skill that was removed is pruned and no longer found', () => {
  const { db, index, install, names } = world();
  const file = install('.claude/skills/make-fmt', FORMAT);
  index.refresh([]);
  rmSync(dirname(file), { recursive: true });
  expect(names('fmt')).toEqual([]); // also before the next look
  expect(skillsIn(db, null)).toEqual([]);
  install('.claude/skills/make-fmt', FORMAT);
  index.refresh([]);
  rmSync(dirname(file), { recursive: true });
  expect(index.refresh([])).toEqual({ found: 0, read: 0, removed: 1 });
});

test('R20: skills of every agent are found, also one level deeper and through links', () => {
  const { home, index, install } = world();
  const folders = [
    '.claude/skills/a',
    '.codex/skills/.system/b',
    '.copilot/skills/c',
    '.gemini/skills/d',
    '.config/opencode/skill/e',
    '.config/opencode/skills/f',
    '.cursor/skills/g',
    '.factory/skills/h',
    '.qwen/skills/i',
    '.pi/agent/skills/j',
  ];
  for (const folder of folders) install(folder, '# Says something');
  symlinkSync(join(home, '.claude', 'skills', 'a'), join(home, '.codex', 'skills', 'linked'));
  index.refresh([]);
  expect(
    index
      .list(null)
      .map(({ name, agent }) => `${agent} ${name}`)
      .toSorted(),
  ).toEqual([
    'claude-code a',
    'codex b',
    'codex linked',
    'copilot-cli c',
    'cursor g',
    'droid h',
    'gemini-cli d',
    'opencode e',
    'opencode f',
    'pi j',
    'qwen i',
  ]);
});

test('R20: only what changed is read again', () => {
  const { index, install, names } = world();
  const file = install('.claude/skills/make-fmt', FORMAT);
  install('.claude/skills/other', '# Other');
  index.refresh([]);
  expect(index.refresh([])).toEqual({ found: 2, read: 0, removed: 0 });
  install('.claude/skills/make-fmt', FORMAT.replace('make-fmt', 'make-lint'));
  utimesSync(file, 2_000_000_000, 2_000_000_000);
  expect(index.refresh([])).toEqual({ found: 2, read: 1, removed: 0 });
  expect(names('lint')).toEqual(['make-lint 2']);
});

test("R20: a project's skills are found there alone, without asking for a refresh, and win between equals", () => {
  const { project, index, install, names } = world();
  install('.claude/skills/deploy', '---\nname: deploy\ndescription: For all\n---');
  index.refresh([]);
  install('.claude/skills/deploy', '---\nname: deploy\ndescription: For this project\n---', project);
  expect(index.find('deploy', project, 10).map(({ skill }) => skill.summary)).toEqual([
    'For this project',
    'For all',
  ]);
  expect(names('deploy', temporaryHome())).toEqual(['deploy 2']);
});

test('R20: a stale skill is not offered until its file changes', () => {
  const { db, index, install, names } = world();
  const file = install('.claude/skills/make-fmt', FORMAT);
  index.refresh([]);
  markSkillStale(db, file);
  index.refresh([]);
  expect(names('fmt')).toEqual([]);
  utimesSync(file, 2_000_000_000, 2_000_000_000);
  index.refresh([]);
  expect(names('fmt')).toEqual(['make-fmt 2']);
});
