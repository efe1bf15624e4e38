import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileStat, readTextOrEmpty } from './read-file.ts';

type Folders = ReadonlyArray<readonly [agent: string, folder: string]>;

/** Skill folders of each agent, in the home folder and in a project. New skills go to an agent's first folder. */
const IN_HOME: Folders = [
  ['claude-code', '.claude/skills'],
  ['codex', '.codex/skills'],
  ['copilot-cli', '.copilot/skills'],
  ['gemini-cli', '.gemini/skills'],
  ['opencode', '.config/opencode/skill'],
  ['opencode', '.config/opencode/skills'],
  ['cursor', '.cursor/skills'],
  ['droid', '.factory/skills'],
  ['qwen', '.qwen/skills'],
  ['pi', '.pi/agent/skills'],
  ['any', '.agents/skills'],
];
const IN_PROJECT: Folders = [
  ['claude-code', '.claude/skills'],
  ['codex', '.codex/skills'],
  ['copilot-cli', '.github/skills'],
  ['copilot-cli', '.copilot/skills'],
  ['gemini-cli', '.gemini/skills'],
  ['opencode', '.opencode/skill'],
  ['opencode', '.opencode/skills'],
  ['cursor', '.cursor/skills'],
  ['droid', '.factory/skills'],
  ['qwen', '.qwen/skills'],
  ['pi', '.pi/skills'],
  ['any', '.agents/skills'],
];

export const SKILLED_AGENTS: readonly string[] = [...new Set(IN_HOME.map(([agent]) => agent))];

/** The skill folder of an agent in this project, or in the home folder without one; null for agents without skills. */
export function skillFolderOf(agent: string, home: string, project: string | null): string | null {
  const [, folder] = (project === null ? IN_HOME : IN_PROJECT).find(([name]) => name === agent) ?? [];
  return folder === undefined ? null : join(project ?? home, folder);
}

export interface SkillFile {
  path: string;
  agent: string;
  mtimeMs: number;
}

const MOST_ENTRIES = 1_000; // a folder with more is not a skill folder
const LONGEST_FILE = 256 * 1_024; // bytes

export const skillFilesInHome = (home: string): SkillFile[] =>
  IN_HOME.flatMap(([agent, folder]) => skillFilesIn(join(home, folder), agent));
export const skillFilesInProject = (root: string): SkillFile[] =>
  IN_PROJECT.flatMap(([agent, folder]) => skillFilesIn(join(root, folder), agent));

/** Finds folders with a SKILL.md, directly or one level deeper, as collections have them. */
export function skillFilesIn(folder: string, agent: string): SkillFile[] {
  return entriesOf(folder).flatMap((name) => {
    const own = skillFile(join(folder, name), agent);
    if (own) return [own];
    return entriesOf(join(folder, name))
      .map((inner) => skillFile(join(folder, name, inner), agent))
      .filter((file) => file !== null);
  });
}

function skillFile(folder: string, agent: string): SkillFile | null {
  const path = join(folder, 'SKILL.md');
  const stat = fileStat(path); // follows links: skills are often linked into an agent's folder
  return stat?.isFile() && stat.size <= LONGEST_FILE ? { path, agent, mtimeMs: stat.mtimeMs } : null;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted().slice(0, MOST_ENTRIES);
  } catch {
    return []; // most agents have no such folder, and files are not folders
  }
}

/** Null when the file was deleted or replaced between listing and reading. */
export const readSkillFile = (path: string): string | null =>
  readTextOrEmpty(path, { largest: LONGEST_FILE }) || null;
