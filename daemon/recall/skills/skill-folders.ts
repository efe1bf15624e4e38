import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where agents keep their skills, under a person's home and under a project's root. */
const IN_HOME: ReadonlyArray<[agent: string, folder: string]> = [
  ['claude-code', '.claude/skills'],
  ['codex', '.codex/skills'],
  ['copilot-cli', '.copilot/skills'],
  ['gemini-cli', '.gemini/skills'],
  ['opencode', '.config/opencode/skill'],
  ['opencode', '.config/opencode/skills'],
  ['any', '.agents/skills'],
];
const IN_PROJECT: typeof IN_HOME = [
  ['claude-code', '.claude/skills'],
  ['codex', '.codex/skills'],
  ['copilot-cli', '.copilot/skills'],
  ['copilot-cli', '.github/skills'],
  ['gemini-cli', '.gemini/skills'],
  ['opencode', '.opencode/skill'],
  ['opencode', '.opencode/skills'],
  ['any', '.agents/skills'],
];

export interface SkillFile {
  path: string;
  agent: string;
  mtimeMs: number;
}

const MOST_ENTRIES = 1_000; // a folder with more is no folder of skills
const LONGEST_FILE = 256 * 1_024; // bytes

export const skillFilesInHome = (home: string): SkillFile[] => IN_HOME.flatMap(([agent, folder]) => skillFilesIn(join(home, folder), agent));
export const skillFilesInProject = (root: string): SkillFile[] => IN_PROJECT.flatMap(([agent, folder]) => skillFilesIn(join(root, folder), agent));

/** A folder with a SKILL.md, or a folder of such folders: collections come one level deeper. */
export function skillFilesIn(folder: string, agent: string): SkillFile[] {
  return entriesOf(folder).flatMap((name) => {
    const own = skillFile(join(folder, name), agent);
    if (own) return [own];
    return entriesOf(join(folder, name)).map((inner) => skillFile(join(folder, name, inner), agent)).filter((file) => file !== null);
  });
}

function skillFile(folder: string, agent: string): SkillFile | null {
  const path = join(folder, 'SKILL.md');
  try {
    const stat = statSync(path, { throwIfNoEntry: false }); // follows links: skills are often linked into an agent's folder
    return stat?.isFile() && stat.size <= LONGEST_FILE ? { path, agent, mtimeMs: stat.mtimeMs } : null;
  } catch {
    return null; // not ours to read, or the entry is a file
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted().slice(0, MOST_ENTRIES);
  } catch {
    return []; // absent for most agents, and a skill's own files are no folders
  }
}

/** Null when it went away between being seen and being read. */
export function readSkillFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
