import { join } from 'node:path';
import type { Agent, Place } from './agent.ts';
import { wholeFile } from './config/edit.ts';
import { type EventNames, eventsOf, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { environmentAs, type Launcher, powershellLine, shellLine } from './launcher.ts';

const EVENTS: EventNames = {
  SessionStart: 'sessionStart',
  UserPromptSubmit: 'userPromptSubmitted',
  PermissionRequest: 'permissionRequest',
  Notification: 'notification',
  PreCompact: 'preCompact',
  Stop: 'agentStop',
  SubagentStop: 'subagentStop',
  SessionEnd: 'sessionEnd',
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
};

const folder = ({ home, environment }: Place) => environment.COPILOT_HOME || join(home, '.copilot');

function handler(launcher: Launcher, event: HookEvent) {
  const words = ['hook', event, copilotCli.id] as const;
  const command =
    launcher.platform === 'win32'
      ? { powershell: powershellLine(launcher, ...words) }
      : { bash: shellLine(launcher, ...words) };
  return { type: 'command', ...command, timeoutSec: timeoutSeconds(event) };
}

export const copilotCli: Agent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  program: 'copilot',
  folder,
  targets(place) {
    const { launcher, project, withTools } = place;
    const hooks = Object.fromEntries(
      eventsOf(EVENTS, withTools).map(([event, name]) => [name, [handler(launcher, event)]]),
    );
    const server = {
      tools: ['*'],
      type: 'local',
      command: launcher.node,
      args: [launcher.script, 'mcp'],
      ...environmentAs('env', launcher),
    };
    return [
      {
        file: join(project ? join(project, '.github') : folder(place), 'hooks', 'reflect.json'),
        edit: wholeFile(`${JSON.stringify({ version: 1, hooks }, null, 2)}\n`),
        holds: 'hooks',
      },
      {
        file: project ? join(project, '.github', 'mcp.json') : join(folder(place), 'mcp-config.json'),
        edit: editJson({ values: [{ path: ['mcpServers', 'reflect'], value: server }] }),
        holds: 'MCP server',
      },
    ];
  },
  sessionStart: ({ launcher }) => ({
    command:
      launcher.platform === 'win32'
        ? { line: powershellLine(launcher, 'hook', 'SessionStart', copilotCli.id), shell: 'powershell' }
        : { line: shellLine(launcher, 'hook', 'SessionStart', copilotCli.id), shell: 'sh' },
    payload: (cwd) => ({ sessionId: 'reflect-doctor', timestamp: Date.now(), cwd, source: 'new' }),
    timeoutMs: timeoutSeconds('SessionStart') * 1_000,
  }),
  notes: ({ project }) =>
    project
      ? [
          '.github/ is usually committed, and these files name paths of this machine: keep them out of your commits.',
        ]
      : [],
};
