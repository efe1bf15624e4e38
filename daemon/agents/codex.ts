import { join } from 'node:path';
import type { Agent, Place } from './agent.ts';
import { linked, readConfig } from './config/config-file.ts';
import { type EventNames, eventsOf, type HookEvent, timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { cmdLine, environmentAs, type Launcher, shellLine } from './launcher.ts';
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
const COMMENT = '# Reflect, put here by `reflect install codex`; `reflect uninstall codex` takes it out.';

const folder = ({ home, environment }: Place) => environment.CODEX_HOME || join(home, '.codex');

const root = (place: Place) => (place.project ? join(place.project, '.codex') : folder(place));

/** Codex notes in a person's own configuration which hooks were looked at: `[hooks.state."<file>:session_start:0:0"]`. */
function isTrusted(place: Place): boolean {
  const { hooks } = parseToml(readConfig(linked(join(folder(place), 'config.toml'))) ?? '') as {
    hooks?: { state?: Record<string, { trusted_hash?: string }> };
  };
  return Object.entries(hooks?.state ?? {}).some(
    ([key, { trusted_hash: hash }]) =>
      key.startsWith(`${join(root(place), 'hooks.json')}:session_start:`) && hash !== undefined,
  );
}

/** Codex always asks a shell. */
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
  targets(place) {
    const { launcher, withTools } = place;
    const hooks = Object.fromEntries(
      eventsOf(EVENTS, withTools).map(([event, name]) => [name, handler(launcher, event)]),
    );
    const server = {
      command: launcher.node,
      args: [launcher.script, 'mcp'],
      ...environmentAs('env', launcher),
    };
    return [
      { file: join(root(place), 'hooks.json'), edit: editJson({ hooks }), holds: 'hooks' },
      {
        file: join(root(place), 'config.toml'),
        edit: editTomlTable(['mcp_servers', 'reflect'], server, COMMENT),
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
    timeoutMs: timeoutSeconds('SessionStart') * 1_000,
  }),
  waitsFor: (place) =>
    isTrusted(place)
      ? null
      : {
          what: 'you have not trusted its hooks yet, so it does not run them',
          advice: 'type /hooks in Codex, look at them, and trust them',
        },
  notes: ({ project }) => [
    'Codex runs a hook only after you have trusted it: type /hooks in Codex, look at them, and trust them. It asks again when a hook changes.',
    ...(project ? ['Codex reads .codex/ only in a project that it trusts.'] : []),
  ],
};
