import { join } from 'node:path';
import type { Agent, InstallContext } from './agent.ts';
import { type EventNames, hooksFor, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { mcpServer, type Launcher, powershellLine, shellLine } from './launcher.ts';

const EVENTS: EventNames = {
  SessionStart: 'SessionStart',
  UserPromptSubmit: 'BeforeAgent',
  Notification: 'Notification',
  PreCompact: 'PreCompress',
  Stop: 'AfterAgent',
  SessionEnd: 'SessionEnd',
  PreToolUse: 'BeforeTool',
  PostToolUse: 'AfterTool',
};

const folder = ({ home, environment }: InstallContext) =>
  join(environment.GEMINI_CLI_HOME || home, '.gemini');

/** Gemini CLI runs hooks through bash, or PowerShell on Windows; its timeouts are in milliseconds. */
function handler(launcher: Launcher, event: HookEvent) {
  const line = launcher.platform === 'win32' ? powershellLine : shellLine;
  return {
    type: 'command',
    name: 'reflect',
    command: line(launcher, 'hook', event, geminiCli.id),
    timeout: timeoutSeconds(event) * 1_000,
  };
}

export const geminiCli: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  program: 'gemini',
  folder,
  targets(context) {
    const { launcher, project, withTools } = context;
    const hooks = hooksFor(EVENTS, withTools, (event) => handler(launcher, event));
    return [
      {
        file: join(project ? join(project, '.gemini') : folder(context), 'settings.json'),
        edit: editJson({ hooks, values: [{ path: ['mcpServers', 'reflect'], value: mcpServer(launcher) }] }),
        holds: 'hooks and MCP server',
      },
    ];
  },
  sessionStart: ({ launcher }) => ({
    command: {
      line: handler(launcher, 'SessionStart').command,
      shell: launcher.platform === 'win32' ? 'powershell' : 'sh',
    },
    payload: (cwd) => ({
      session_id: 'reflect-doctor',
      transcript_path: '',
      cwd,
      hook_event_name: 'SessionStart',
      timestamp: new Date().toISOString(),
      source: 'startup',
    }),
  }),
  notes: ({ project }) =>
    project
      ? [
          'Gemini CLI reads .gemini/ only in a folder that it trusts, and the file contains paths of this machine: do not commit it.',
        ]
      : [],
};
