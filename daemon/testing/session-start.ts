import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { silentLog } from '../platform/log.ts';
import { inject } from '../recall/inject/inject.ts';
import type { Injection } from '../recall/inject/injection.ts';
import { SkillsIndex } from '../recall/skills/skills-index.ts';
import { temporaryHome } from './running-daemon.ts';
import { type Given, NOW, type World, world } from './world.ts';

export const BILLING = 'github.com/acme/billing-svc';

export interface SessionStart extends World {
  cwd: string;
  skills: SkillsIndex;
  /** Installs a skill for Claude Code in its home and gives the file. */
  install(name: string, markdown: string): string;
  start(knobs?: Record<string, unknown>, query?: string): Promise<Injection>;
}

/** A working tree of billing-svc at that branch with these commits, and a session that starts in it. */
export async function sessionStart(
  given: Given[],
  {
    branch = 'main',
    commits = [],
    ...models
  }: { branch?: string; commits?: string[]; crossEncoder?: string } = {},
): Promise<SessionStart> {
  const known = await world(given, models);
  const cwd = join(temporaryHome(), 'billing-svc');
  const home = temporaryHome();
  write(join(cwd, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
  write(join(cwd, '.git', 'config'), `[remote "origin"]\n\turl = https://${BILLING}.git\n`);
  write(
    join(cwd, '.git', 'logs', 'HEAD'),
    commits
      .map(
        (subject) =>
          `${'0'.repeat(40)} ${'1'.repeat(40)} Ada <ada@example.org> 1750000000 +0000\tcommit: ${subject}\n`,
      )
      .join(''),
  );
  const skills = new SkillsIndex({ db: known.parts.db, home, now: () => NOW, log: silentLog });
  return {
    ...known,
    cwd,
    skills,
    install(name, markdown) {
      const file = join(home, '.claude', 'skills', name, 'SKILL.md');
      write(file, markdown);
      skills.refresh([]);
      return file;
    },
    start: (knobs, query) => inject({ ...known.parts, skills }, { cwd, knobs, query }),
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
