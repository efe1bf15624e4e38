import { join } from 'node:path';
import type { Agent, InstallContext } from './agent.ts';
import { linked, readConfig } from './config/config-file.ts';
import { type EventNames, hooksFor, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { cmdLine, mcpServer, type Launcher, shellLine } from './launcher.ts';
import { editTomlTable, parseToml } from './config/toml-text.ts';

const EVENTS: EventNames = {
  SessionStart: 'SessionStart',
  UserPromptSubmit: 'UserPromptSubmit',
  PermissionRequest: 'PermissionRequest',
  PreCompact: 'PreCompact',
  Stop: 'Stop',
  SubagentStop: 'SubagentStop',
  SessionEnd: 'SessionEnd',
  PreToolUse: 'PreToolUse',
  PostToolUse: 'PostToolUse',
};
// Uninstalling finds this comment by its exact words, so they stay as earlier versions wrote them.
const COMMENT = '# Reflect, put here by `reflect install codex`; `reflect uninstall codex` takes it out.';

const folder = ({ home, environment }: InstallContext) => environment.CODEX_HOME || join(home, '.codex');

const root = (context: InstallContext) =>
  context.project ? join(context.project, '.codex') : folder(context);

/** Codex records trusted hooks in the user's own configuration: `[hooks.state."<file>:session_start:0:0"]`. */
function isTrusted(context: InstallContext): boolean {
  const { hooks } = parseToml(readConfig(linked(join(folder(context), 'config.toml'))) ?? '') as {
    hooks?: { state?: Record<string, { trusted_hash?: string }> };
  };
  return Object.entries(hooks?.state ?? {}).some(
    ([key, { trusted_hash: hash }]) =>
      key.startsWith(`${join(root(context), 'hooks.json')}:session_start:`) && hash !== undefined,
  );
}

/** Codex always runs hooks through a shell. */
function handler(launcher: Launcher, event: HookEvent) {
  const words = ['hook', event, codex.id] as const;
  const command = launcher.platform === 'win32' ? cmdLine(launcher, ...words) : shellLine(launcher, ...words);
  return {
    type: 'command',
    command,
    ...(launcher.platform === 'win32' ? { commandWindows: command } : {}),
    timeout: timeoutSeconds(event),
  };
}

export const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  program: 'codex',
  folder,
  targets(context) {
    const { launcher, withTools } = context;
    const hooks = hooksFor(EVENTS, withTools, (event) => handler(launcher, event));
    return [
      { file: join(root(context), 'hooks.json'), edit: editJson({ hooks }), holds: 'hooks' },
      {
        file: join(root(context), 'config.toml'),
        edit: editTomlTable(['mcp_servers', 'reflect'], mcpServer(launcher), COMMENT),
        holds: 'MCP server',
      },
    ];
  },
  sessionStart: ({ launcher }) => ({
    command: {
      line: handler(launcher, 'SessionStart').command,
      shell: launcher.platform === 'win32' ? 'cmd' : 'sh',
    },
    payload: (cwd) => ({
      session_id: 'reflect-doctor',
      transcript_path: null,
      cwd,
      hook_event_name: 'SessionStart',
      model: '',
      permission_mode: 'default',
      source: 'startup',
    }),
  }),
  waitsFor: (context) =>
    isTrusted(context)
      ? null
      : {
          what: 'its hooks are not trusted yet, so it does not run them',
          advice: 'type /hooks in Codex, review them and trust them',
        },
  notes: ({ project }) => [
    'Codex runs a hook only after you trust it: type /hooks in Codex, review the hooks and trust them. It asks again when a hook changes.',
    ...(project ? ['Codex reads .codex/ only in a project that it trusts.'] : []),
  ],
};
