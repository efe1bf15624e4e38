import type { AgentId } from '#contract/agents.ts';
import type { Edit } from './config/edit.ts';
import type { Launcher } from './launcher.ts';

/** The machine an agent is looked for on, and the entries to write for it. */
export interface InstallContext {
  /** The user's home as the agents see it. */
  home: string;
  environment: NodeJS.ProcessEnv;
  /** The root of the project when Reflect is installed for that project only; null for the whole user. */
  project: string | null;
  launcher: Launcher;
  /** Hooks around each tool call are installed too. */
  withTools: boolean;
}

/** One file of an agent and what we put into it. */
export interface Target {
  file: string;
  edit: Edit;
  /** Our part of the file, in words for people: `hooks`, `MCP server`. */
  holds: string;
}

type ShellLine = { line: string; shell: 'sh' | 'cmd' | 'powershell' };
/** An agent starts a hook either from words, without a shell, or from one line for the shell it uses. */
export type HookCommand = { words: [string, ...string[]] } | ShellLine;

/** Everything Reflect knows about one agent's configuration. To support another agent, add one of these. */
export interface Agent {
  id: AgentId;
  name: string;
  /** Its program on the PATH. */
  program: string;
  /** Its own folder; if it exists, the agent has been used. */
  folder(context: InstallContext): string;
  targets(context: InstallContext): Target[];
  /** The hook command as the agent starts it, and the payload it sends when a session starts. */
  sessionStart(context: InstallContext): { command: HookCommand; payload: (cwd: string) => object };
  /** A step the person still has to take before the agent uses our entries; null when there is none. Read-only. */
  waitsFor?(context: InstallContext): { what: string; advice: string } | null;
  /** Notes shown to the person after the installation. */
  notes?(context: InstallContext): string[];
}
