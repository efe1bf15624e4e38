import { join } from 'node:path';
import type { Agent, InstallContext } from './agent.ts';
import { wholeFile } from './config/edit.ts';
import { type EventNames, hooksFor, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { mcpServer, type Launcher, powershellLine, shellLine } from './launcher.ts';

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

const folder = ({ home, environment }: InstallContext) => environment.COPILOT_HOME || join(home, '.copilot');

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
  targets(context) {
    const { launcher, project, withTools } = context;
    const hooks = hooksFor(EVENTS, withTools, (event) => [handler(launcher, event)]);
    const server = { tools: ['*'], type: 'local', ...mcpServer(launcher) };
    return [
      {
        file: join(project ? join(project, '.github') : folder(context), 'hooks', 'reflect.json'),
        edit: wholeFile(`${JSON.stringify({ version: 1, hooks }, null, 2)}\n`),
        holds: 'hooks',
      },
      {
        file: project ? join(project, '.github', 'mcp.json') : join(folder(context), 'mcp-config.json'),
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
  }),
  notes: ({ project }) =>
    project
      ? ['.github/ is usually committed, but these files contain paths of this machine: do not commit them.']
      : [],
};
