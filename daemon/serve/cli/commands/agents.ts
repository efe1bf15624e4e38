import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { agentsEnvironment, agentsHome } from '../../../platform/paths.ts';
import { identifyProject } from '../../../platform/project.ts';
import type { Agent, Place } from '../../install/agent.ts';
import { AGENTS } from '../../install/agents.ts';
import { type Change, install, isPresent, requirePresent, uninstall } from '../../install/install.ts';
import { type Launcher, launcherProblem, needsShim, thisLauncher } from '../../install/launcher.ts';
import { InstallError } from '../../install/problems.ts';
import { InstallRecords } from '../../install/records.ts';
import { isOnPath, shimPlace, writeShim } from '../../install/shim.ts';
import { unifiedDiff } from '../../install/unified-diff.ts';
import { dim, print } from '../output.ts';
import { paths, show } from '../session.ts';

interface Flags {
  all?: boolean;
  project?: boolean;
  dryRun?: boolean;
  tools?: boolean;
}

interface Outcome {
  agent: string;
  name: string;
  files: { file: string; holds: string; change: 'created' | 'changed' | 'unchanged' | 'removed'; diff: string }[];
  notes: string[];
  error?: string;
}

export function agentCommands(program: Command): void {
  const agents = () => new Argument('[agents...]', 'which ones').choices(AGENTS.map(({ id }) => id));
  program.command('install').addArgument(agents()).description('Plug Reflect into an agent: its hooks and the MCP server, in the agent\'s own configuration')
    .option('--all', 'every agent on this machine').option('--project', 'for this project only').option('--tools', 'hooks around every tool call too')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', '\nExamples:\n  reflect install claude-code\n  reflect install --all --dry-run\n  reflect install codex --project\n\n`reflect doctor` then checks that it works.')
    .action((ids: string[], flags: Flags, command: Command) => act(command, ids, flags, plugIn));
  program.command('uninstall').addArgument(agents()).description('Take Reflect out of an agent\'s configuration again')
    .option('--all', 'every agent on this machine').option('--project', 'from this project only').option('--dry-run', 'show what would change, and change nothing')
    .action((ids: string[], flags: Flags, command: Command) => act(command, ids, flags, plugOut));
  program.command('install-cli').argument('[file]', 'where to').description('Write a `reflect` command that starts this Reflect')
    .action((file: string | undefined, _flags: object, command: Command) => {
      const launcher = thisLauncher(paths().home, process.env);
      const written = file ? resolve(file) : shimPlace(launcher, homedir(), process.env);
      refuseUnfindable(launcher);
      const changed = writeShim(launcher, written);
      show(command, { file: written, changed, onPath: isOnPath(written, process.env) }, ({ onPath }) =>
        print(`${changed ? 'Wrote' : 'Already there:'} ${written}`, ...(onPath ? [] : [dim('Its folder is not on your PATH; add it there to type `reflect` anywhere.')])));
    });
}

/** The place that the flags speak of. */
export function placeOf({ project, tools }: Pick<Flags, 'project' | 'tools'> = {}): Place {
  const root = project ? identifyProject(process.cwd())?.root : null;
  if (root === undefined) throw new InstallError('this folder is no project; `--project` works inside one');
  return { home: agentsHome(process.env), environment: agentsEnvironment(process.env), project: root, launcher: thisLauncher(paths().home, process.env), withTools: tools ?? false };
}

type Work = (agent: Agent, place: Place, records: InstallRecords, dryRun: boolean) => Change[];

const plugIn: Work = (agent, place, records, dryRun) => {
  requirePresent(agent, place);
  refuseUnfindable(place.launcher);
  if (needsShim(place.launcher) && !dryRun) writeShim(place.launcher);
  return install(agent, place, records, dryRun);
};
const plugOut: Work = uninstall;

function refuseUnfindable(launcher: Launcher): void {
  const problem = launcherProblem(launcher, process.env);
  if (problem) throw new InstallError(problem);
}

function act(command: Command, ids: string[], flags: Flags, work: Work): void {
  const place = placeOf(flags);
  const chosen = AGENTS.filter((agent) => (flags.all ? isPresent(agent, place) : ids.includes(agent.id)));
  if (chosen.length === 0) {
    if (flags.all) throw new InstallError(`none of ${AGENTS.map(({ name }) => name).join(', ')} is on this machine`);
    return command.error(`error: say which agent: ${AGENTS.map(({ id }) => id).join(', ')}, or --all`);
  }
  const records = new InstallRecords(paths().home);
  const outcomes = chosen.map((agent) => outcomeOf(agent, place, () => work(agent, place, records, flags.dryRun ?? false), work === plugIn));
  show(command, outcomes, (list) => list.forEach((outcome) => printOutcome(outcome, flags.dryRun ?? false)));
  if (outcomes.some(({ error }) => error)) process.exitCode = 1;
}

/** One agent that fails does not keep the others from being served. */
function outcomeOf(agent: Agent, place: Place, work: () => Change[], isInstall: boolean): Outcome {
  const { id, name } = agent;
  try {
    const files = work().map(({ file, holds, before, after }) => ({ file, holds, change: changeOf(before, after), diff: unifiedDiff(file, before, after) }));
    return { agent: id, name, files, notes: isInstall ? agent.notes(place) : [] };
  } catch (error) {
    return { agent: id, name, files: [], notes: [], error: error instanceof Error ? error.message : String(error) };
  }
}

function changeOf(before: string | null, after: string | null): Outcome['files'][number]['change'] {
  if (before === after) return 'unchanged';
  return before === null ? 'created' : after === null ? 'removed' : 'changed';
}

function printOutcome({ name, files, notes, error }: Outcome, dryRun: boolean): void {
  if (error) return void process.stderr.write(`✗ ${name}: ${error}\n`);
  if (dryRun) return print(...files.map(({ diff, file }) => diff || dim(`${file} stays as it is`)));
  print(`✓ ${name}`, ...files.map(({ file, holds, change }) => `  ${change.padEnd(9)} ${file} ${dim(`(${holds})`)}`), ...notes.map((note) => `  ! ${note}`));
}
