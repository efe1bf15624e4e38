import type { AgentId } from '#contract/agents.ts';
import type { Edit } from './config/edit.ts';
import type { Launcher } from './launcher.ts';

/** Where an agent is to be looked for, and what is to be written. */
export interface Place {
  /** The user's home as the agents see it. */
  home: string;
  environment: NodeJS.ProcessEnv;
  /** The root of the project, where only it is meant. */
  project: string | null;
  launcher: Launcher;
  /** Whether hooks around each tool call are wanted too. */
  withTools: boolean;
}

/** One file of an agent and what we put into it. */
export interface Target {
  file: string;
  edit: Edit;
  /** What of ours is in it, for people. */
  holds: string;
}

/** How an agent starts a hook: words without a shell, or one line for the shell it uses. */
export type HookCommand =
  { words: [string, ...string[]] } | { line: string; shell: 'sh' | 'cmd' | 'powershell' };

/** All that is known of an agent's configuration. Supporting an agent is adding one of these. */
export interface Agent {
  id: AgentId;
  name: string;
  /** Its program on the PATH. */
  program: string;
  /** Its own folder; where that is, the agent has been used. */
  folder(place: Place): string;
  targets(place: Place): Target[];
  /** The hook as the agent will start it, and what it sends at the start of a session. */
  sessionStart(place: Place): { command: HookCommand; payload(cwd: string): object; timeoutMs: number };
  /** What the agent still waits for before it does what its files say; null when it waits for nothing. Read-only. */
  waitsFor?(place: Place): { what: string; advice: string } | null;
  /** What a person has to know or do, once it is installed. */
  notes(place: Place): string[];
}
