import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { AgentChange } from '#contract/agents.ts';
import { messageOf } from '#contract/errors.ts';
import { identifyProject } from '../../platform/project.ts';
import type { InstallContext } from '../../agents/agent.ts';
import { AGENTS } from '../../agents/all-agents.ts';
import { installGitHooks, uninstallGitHooks } from '../../agents/git-hooks.ts';
import { isPresent } from '../../agents/install.ts';
import { thisLauncher } from '../../agents/launcher.ts';
import { installContext } from '../../agents/install-context.ts';
import { type Connection, connectAgent, disconnectAgent, refuseUnfindable } from '../../agents/connect.ts';
import { InstallError } from '../../agents/problems.ts';
import { InstallRecords } from '../../agents/records.ts';
import { isOnPath, shimPath, writeShim } from '../../agents/shim.ts';
import { dim, print } from '../output.ts';
import { paths, show } from '../session.ts';

interface Flags {
  all?: boolean;
  project?: boolean;
  dryRun?: boolean;
  tools?: boolean;
}

interface Outcome extends AgentChange {
  agent: string;
  name: string;
  error?: string;
}

export function agentCommands(program: Command): void {
  const agents = () =>
    new Argument('[agents...]', 'agents, or `git` for the current repository').choices([
      ...AGENTS.map(({ id }) => id),
      GIT,
    ]);
  program
    .command('install')
    .addArgument(agents())
    .description("Connect an agent: adds hooks and the MCP server to the agent's own configuration")
    .option('--all', 'every agent on this machine')
    .option('--project', 'for this project only')
    .option('--tools', 'also add hooks for every tool call')
    .option('--dry-run', 'preview the changes')
    .addHelpText(
      'after',
      '\nExamples:\n  reflect install claude-code\n  reflect install --all --dry-run\n  reflect install codex --project\n  reflect install git   (reports commits and reverts you type in a terminal)\n\n`reflect doctor` then checks that it works.',
    )
    .action((ids: string[], flags: Flags, command: Command) => act(command, ids, flags, CONNECT));
  program
    .command('uninstall')
    .addArgument(agents())
    .description('Disconnect an agent: removes Reflect from its configuration')
    .option('--all', 'every agent on this machine')
    .option('--project', 'from this project only')
    .option('--dry-run', 'preview the changes')
    .action((ids: string[], flags: Flags, command: Command) => act(command, ids, flags, DISCONNECT));
  program
    .command('install-cli')
    .argument('[file]', 'path of the command to write')
    .description('Write a `reflect` command that starts this Reflect')
    .action((file: string | undefined, _flags: object, command: Command) => {
      const launcher = thisLauncher(paths().home);
      const written = file ? resolve(file) : shimPath(launcher, homedir(), process.env);
      refuseUnfindable(launcher);
      const changed = writeShim(launcher, written);
      show(command, { file: written, changed, onPath: isOnPath(written, process.env) }, ({ onPath }) =>
        print(
          `${changed ? 'Wrote' : 'Already there:'} ${written}`,
          ...(onPath
            ? []
            : [dim('Its folder is not on your PATH; add it there to type `reflect` anywhere.')]),
        ),
      );
    });
}

/** The installation that the flags ask for. */
export function contextOf({ project, tools }: Pick<Flags, 'project' | 'tools'> = {}): InstallContext {
  const root = project ? identifyProject(process.cwd())?.root : null;
  if (root === undefined) throw new InstallError('`--project` needs a project, and this folder is in none');
  return { ...installContext(paths().home, process.env), project: root, withTools: tools ?? false };
}

const GIT = 'git';
const CONNECT = { agent: connectAgent, git: installGitHooks };
const DISCONNECT = { agent: disconnectAgent, git: uninstallGitHooks };

function act(
  command: Command,
  ids: string[],
  flags: Flags,
  change: { agent: Connection; git: typeof installGitHooks },
): void {
  const context = contextOf(flags);
  const chosen = AGENTS.filter((agent) => (flags.all ? isPresent(agent, context) : ids.includes(agent.id)));
  const isForGit = ids.includes(GIT);
  if (chosen.length === 0 && !isForGit) {
    if (flags.all) throw new InstallError(`no agent found: ${AGENTS.map(({ name }) => name).join(', ')}`);
    return command.error(`error: name an agent: ${AGENTS.map(({ id }) => id).join(', ')}, git, or --all`);
  }
  const records = new InstallRecords(paths().home);
  const dryRun = flags.dryRun ?? false;
  const outcomes = [
    ...chosen.map((agent) => outcomeOf(agent, () => change.agent(agent, context, records, dryRun))),
    ...(isForGit
      ? [outcomeOf({ id: GIT, name: 'Git' }, () => change.git(process.cwd(), context.launcher, dryRun))]
      : []),
  ];
  show(command, outcomes, (list) => list.forEach((outcome) => printOutcome(outcome, dryRun)));
  if (outcomes.some(({ error }) => error)) process.exitCode = 1;
}

/** One agent that fails does not keep the others from being served. */
function outcomeOf({ id, name }: { id: string; name: string }, work: () => AgentChange): Outcome {
  try {
    return { agent: id, name, ...work() };
  } catch (error) {
    return {
      agent: id,
      name,
      files: [],
      notes: [],
      error: messageOf(error),
    };
  }
}

function printOutcome({ name, files, notes, error }: Outcome, dryRun: boolean): void {
  if (error) return void process.stderr.write(`✗ ${name}: ${error}\n`);
  if (dryRun) {
    print(...files.map(({ diff, file }) => diff || dim(`${file}: no change`)));
    return;
  }
  print(
    `✓ ${name}`,
    ...files.map(({ file, holds, change }) => `  ${change.padEnd(9)} ${file} ${dim(`(${holds})`)}`),
    ...notes.map((note) => `  ! ${note}`),
  );
}
