import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextOrEmpty } from '../platform/read-file.ts';
import type { Agent, InstallContext } from './agent.ts';
import { wholeFile } from './config/edit.ts';
import { editJson } from './config/hooks-json.ts';
import { argv } from './launcher.ts';
import { opencodePlugin } from './opencode-plugin.ts';

const folder = ({ home, environment }: InstallContext) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

/** OpenCode reads both files. Existing entries of ours are updated in place; new ones go into the file the user has. */
function configFile(root: string): string {
  const there = ['opencode.jsonc', 'opencode.json']
    .map((name) => join(root, name))
    .filter((file) => existsSync(file));
  return (
    there.find((file) => readTextOrEmpty(file).includes('"reflect"')) ??
    there[0] ??
    join(root, 'opencode.json')
  );
}

export const opencode: Agent = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  folder,
  targets(context) {
    const { launcher, project, withTools } = context;
    const server = {
      type: 'local',
      command: [launcher.node, launcher.script, 'mcp'],
      environment: launcher.environment,
      enabled: true,
    };
    return [
      // OpenCode has no hooks in its configuration; plugins receive the same events.
      {
        file: join(project ? join(project, '.opencode') : folder(context), 'plugins', 'reflect.js'),
        edit: wholeFile(opencodePlugin(launcher, withTools)),
        holds: 'plugin',
      },
      {
        file: configFile(project ?? folder(context)),
        edit: editJson({ values: [{ path: ['mcp', 'reflect'], value: server }] }),
        holds: 'MCP server',
      },
    ];
  },
  sessionStart: ({ launcher }) => ({
    command: { words: argv(launcher, 'hook', 'SessionStart', opencode.id) },
    payload: (cwd) => ({
      session_id: 'reflect-doctor',
      cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
    }),
  }),
  notes: ({ project }) => (project ? ['These files contain paths of this machine: do not commit them.'] : []),
};
