import { join } from 'node:path';
import type { Agent, Place } from './agent.ts';
import { type EventNames, eventsOf, type HookEvent, timeoutSeconds } from './events.ts';
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

const folder = ({ home, environment }: Place) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

/** Claude Code keeps its servers beside its folder, or in it when the folder was moved. */
const serversFile = ({ home, environment }: Place) =>
  join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json');

/** With `args` it starts the command itself, without a shell. */
function handler(launcher: Launcher, event: HookEvent) {
  const [command, ...args] = argv(launcher, 'hook', event, claudeCode.id);
  return { type: 'command', command, args, timeout: timeoutSeconds(event) };
}

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  folder,
  targets(place) {
    const { launcher, project, withTools } = place;
    const hooks = Object.fromEntries(
      eventsOf(EVENTS, withTools).map(([event, name]) => [name, handler(launcher, event)]),
    );
    const server = {
      type: 'stdio',
      command: launcher.node,
      args: [launcher.script, 'mcp'],
      env: launcher.environment,
    };
    // In a project both stay this machine's own affair: the paths in them mean nothing on another.
    return [
      {
        file: project
          ? join(project, '.claude', 'settings.local.json')
          : join(folder(place), 'settings.json'),
        edit: editJson({ hooks }),
        holds: 'hooks',
      },
      {
        file: serversFile(place),
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
    timeoutMs: timeoutSeconds('SessionStart') * 1_000,
  }),
  notes: () => [],
};
