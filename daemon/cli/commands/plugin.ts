import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { PLUGINS } from '../../agents/plugins.ts';
import { InstallError } from '../../agents/problems.ts';
import { refuseUnfindable } from '../../agents/connect.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { dim, print } from '../output.ts';
import { paths, show } from '../session.ts';
import { contextOf } from './agents.ts';

export function pluginCommand(program: Command): void {
  program
    .command('plugin')
    .addArgument(new Argument('<agent>', 'which agent').choices(PLUGINS.map(({ agent }) => agent)))
    .argument('[folder]', 'folder to write to; one in Reflect’s home by default')
    .description(
      'Write Reflect as a plugin or extension of an agent: hooks, MCP server, slash commands and a skill',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  reflect plugin claude-code\n  reflect plugin gemini-cli ~/reflect-extension\n\nIt prints how to install the folder. If `reflect install` was used too, the plugin’s hooks stay silent.',
    )
    .action((agent: string, folder: string | undefined, _flags: object, command: Command) => {
      const written = write(agent, folder ? resolve(folder) : join(paths().home, 'plugins', agent));
      show(command, written, ({ files, next }) =>
        print(
          ...files.map((file) => `wrote ${file}`),
          '',
          dim('Install it with'),
          ...next.map((line) => `  ${line}`),
        ),
      );
    });
}

function write(agent: string, folder: string): { folder: string; files: string[]; next: string[] } {
  const plugin = PLUGINS.find((each) => each.agent === agent);
  if (!plugin) throw new InstallError(`there is no plugin for ${agent}`);
  const context = contextOf();
  refuseUnfindable(context.launcher);
  const files = plugin.files(context);
  refuseForeign(folder, Object.keys(files));
  for (const [name, text] of Object.entries(files)) writeFileAtomic(join(folder, name), text, 0o644);
  return {
    folder,
    files: Object.keys(files).map((name) => join(folder, name)),
    next: plugin.install(folder),
  };
}

/** A folder with other files in it is not ours to write to. */
function refuseForeign(folder: string, ours: string[]): void {
  const tops = new Set(ours.map((file) => file.split('/')[0]));
  const other = existsSync(folder) ? readdirSync(folder).find((name) => !tops.has(name)) : undefined;
  if (other !== undefined) throw new InstallError(`${folder} is not empty (${other}); name a new folder`);
}
