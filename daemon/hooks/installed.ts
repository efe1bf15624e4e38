import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';

/** Variables that move the folder of an agent's settings for the whole user. */
const MOVED = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'OPENCODE_CONFIG_DIR',
  'XDG_CONFIG_HOME',
  'GEMINI_CLI_HOME',
];

/** True if `reflect install` connected this agent, for the user or for the project of this folder. */
export function isInstalled(reflectHome: string, agent: string, cwd: string): boolean {
  try {
    const list = readFileSync(join(reflectHome, 'installs', 'installs.json'), 'utf8');
    const records = JSON.parse(list) as Array<{ agent: string; file: string }>; // written by our own installer
    return records.some((record) => record.agent === agent && appliesIn(cwd, record.file));
  } catch {
    return false; // nothing was ever installed
  }
}

/** Settings stand in a dot folder of the home or of a project: `~/.config/opencode/plugins/reflect.js`. */
function appliesIn(cwd: string, file: string): boolean {
  const moved = MOVED.map((name) => process.env[name]).filter(
    (folder) => folder !== undefined && folder !== '',
  );
  if (moved.some((folder) => file.startsWith(folder + sep))) return true;
  const root = file.slice(0, Math.max(0, file.lastIndexOf(`${sep}.`)));
  return root === homedir() || cwd === root || cwd.startsWith(root + sep);
}
