import { capitalized } from './format.ts';

/** Agents whose names are not just their id with capitals. */
const NAMES: Readonly<Record<string, string>> = {
  'copilot-cli': 'Copilot CLI',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  openclaw: 'OpenClaw',
  omp: 'OMP',
  pi: 'pi',
};

/** An agent's id as people write its name: `claude-code` is "Claude Code". */
export const agentName = (id: string): string => NAMES[id] ?? id.split('-').map(capitalized).join(' ');
