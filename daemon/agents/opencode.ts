import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place } from './agent.ts';
import { wholeFile } from './config/edit.ts';
import { timeoutSeconds } from './events.ts';
import { editJson } from './config/hooks-json.ts';
import { argv } from './launcher.ts';
import { opencodePlugin } from './opencode-plugin.ts';

const folder = ({ home, environment }: Place) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

/** OpenCode reads all of these; ours go where they are already, else into the one its owner uses. */
function configFile(root: string): string {
  const there = ['opencode.jsonc', 'opencode.json']
    .map((name) => join(root, name))
    .filter((file) => existsSync(file));
  return (
    there.find((file) => readFileSync(file, 'utf8').includes('"reflect"')) ??
    there[0] ??
    join(root, 'opencode.json')
  );
}

export const opencode: Agent = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  folder,
  targets(place) {
    const { launcher, project, withTools } = place;
    const server = {
      type: 'local',
      command: [launcher.node, launcher.script, 'mcp'],
      environment: launcher.environment,
      enabled: true,
    };
    return [
      // OpenCode has no hooks in its configuration; a plugin is told of the same events.
      {
        file: join(project ? join(project, '.opencode') : folder(place), 'plugins', 'reflect.js'),
        edit: wholeFile(opencodePlugin(launcher, withTools)),
        holds: 'plugin',
      },
      {
        file: configFile(project ?? folder(place)),
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
    timeoutMs: timeoutSeconds('SessionStart') * 1_000,
  }),
  notes: ({ project }) =>
    project ? ['These files name paths of this machine: keep them out of your commits.'] : [],
};
