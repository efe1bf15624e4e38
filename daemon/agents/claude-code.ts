import { join } from 'node:path';
import type { Agent, InstallContext } from './agent.ts';
import { type EventNames, hooksFor, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { argv, type Launcher } from './launcher.ts';

const EVENTS: EventNames = {
  SessionStart: 'SessionStart',
  UserPromptSubmit: 'UserPromptSubmit',
  PermissionRequest: 'PermissionRequest',
  Notification: 'Notification',
  PreCompact: 'PreCompact',
  Stop: 'Stop',
  SubagentStop: 'SubagentStop',
  SessionEnd: 'SessionEnd',
  PreToolUse: 'PreToolUse',
  PostToolUse: 'PostToolUse',
  PostToolUseFailure: 'PostToolUseFailure',
};

const folder = ({ home, environment }: InstallContext) =>
  environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

/** Claude Code keeps its servers next to its folder, or inside it when CLAUDE_CONFIG_DIR is set. */
const serversFile = ({ home, environment }: InstallContext) =>
  join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json');

/** Claude Code starts a command that has `args` without a shell. */
function handler(launcher: Launcher, event: HookEvent) {
  const [command, ...args] = argv(launcher, 'hook', event, claudeCode.id);
  return { type: 'command', command, args, timeout: timeoutSeconds(event) };
}

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  folder,
  targets(context) {
    const { launcher, project, withTools } = context;
    const hooks = hooksFor(EVENTS, withTools, (event) => handler(launcher, event));
    const server = {
      type: 'stdio',
      command: launcher.node,
      args: [launcher.script, 'mcp'],
      env: launcher.environment,
    };
    // Project installs go into files that are not shared: the paths in them exist only on this machine.
    return [
      {
        file: project
          ? join(project, '.claude', 'settings.local.json')
          : join(folder(context), 'settings.json'),
        edit: editJson({ hooks }),
        holds: 'hooks',
      },
      {
        file: serversFile(context),
        edit: editJson({
          values: [
            { path: [...(project ? ['projects', project] : []), 'mcpServers', 'reflect'], value: server },
          ],
        }),
        holds: 'MCP server',
      },
    ];
  },
  sessionStart: ({ launcher }) => ({
    command: { words: argv(launcher, 'hook', 'SessionStart', claudeCode.id) },
    payload: (cwd) => ({
      session_id: 'reflect-doctor',
      transcript_path: '',
      cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
    }),
  }),
};
