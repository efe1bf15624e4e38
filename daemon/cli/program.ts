import { type Argument, Command } from 'commander';
import { VERSION } from '../platform/version.ts';
import { agentCommands } from './commands/agents.ts';
import { archiveCommands } from './commands/archive.ts';
import { importCommand } from './commands/import.ts';
import { backupCommands } from './commands/backups.ts';
import { captureCommands } from './commands/capture.ts';
import { corpusCommands } from './commands/corpora.ts';
import { candidateCommands } from './commands/candidates.ts';
import { curationCommands } from './commands/curation.ts';
import { daemonCommands } from './commands/daemon.ts';
import { experienceCommands } from './commands/experience.ts';
import { knowledgeCommands } from './commands/knowledge.ts';
import { distillCommands } from './commands/distill.ts';
import { learningCommands } from './commands/learnings.ts';
import { loopCommands } from './commands/loops.ts';
import { memoryCommands } from './commands/memories.ts';
import { pluginCommand } from './commands/plugin.ts';
import { privacyCommands } from './commands/privacy.ts';
import { recallCommands } from './commands/recall.ts';
import { schemaCommands } from './commands/schema.ts';
import { settingsCommands } from './commands/settings.ts';
import { skillCommands } from './commands/skills.ts';
import { shellCommands } from './commands/shell.ts';
import { slotCommands } from './commands/slots.ts';
import { stagedCommands } from './commands/staged.ts';
import { upkeepCommands } from './commands/upkeep.ts';
import { teamCommands } from './commands/team.ts';
import { writerCommands } from './commands/writers.ts';
import { SUMMARIES } from './summaries.ts';

/** In the order of the help: everyday commands first. */
const GROUPS: Readonly<Record<string, ReadonlyArray<(program: Command) => void>>> = {
  'Everyday:': [recallCommands, learningCommands, candidateCommands, curationCommands, slotCommands],
  'Agents:': [agentCommands, pluginCommand, captureCommands, writerCommands],
  'Maintenance:': [
    daemonCommands,
    upkeepCommands,
    settingsCommands,
    privacyCommands,
    archiveCommands,
    importCommand,
    backupCommands,
  ],
  'Team:': [teamCommands],
  'Advanced:': [
    stagedCommands,
    corpusCommands,
    knowledgeCommands,
    skillCommands,
    distillCommands,
    memoryCommands,
    experienceCommands,
    loopCommands,
    schemaCommands,
    shellCommands,
  ],
};

const EXAMPLES = `
Examples:
  reflect search "flaky auth test"    search the learnings of this project
  reflect add "Use pnpm, never npm" --fix "pnpm install"
  reflect install --all               connect the agents on this machine
  reflect ui                          open the app in a browser

\`reflect <command> --help\` explains a command. Exit codes: 0 success, 1 failure, 2 wrong usage.`;

/** The whole command line. With JSON, commander prints no errors of its own. */
export function createProgram({ isJson = false } = {}): Command {
  const program = new Command('reflect')
    .description('Correct once, never again: a local memory for coding agents.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--json', 'print JSON, errors included')
    .helpOption('-h, --help', 'show this help')
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .description('Show help for a command')
        .helpGroup('Maintenance:'),
    )
    .showHelpAfterError('Run the command with --help to see how it is used.')
    .configureHelp({ subcommandTerm: nameAndArguments })
    .exitOverride()
    .configureOutput(isJson ? { writeErr: () => undefined } : {})
    .addHelpText('after', EXAMPLES);
  for (const [heading, tables] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const commands of tables) commands(program);
  }
  for (const command of program.commands) command.summary(SUMMARIES[command.name()] ?? '');
  return program;
}

const nameAndArguments = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map(asTyped)].join(' ');

function asTyped(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const HELP = ['help', '--help', '-h'];

/** The arguments without a request for help where the command does not exist, so that the answer says so. */
export function withoutHelpForUnknown(program: Command, args: readonly string[]): readonly string[] {
  const asked = args.filter((arg) => !HELP.includes(arg));
  let command = program;
  for (const name of commandWords(asked)) {
    if (command.commands.length === 0 || command.registeredArguments.length > 0) return args;
    const next = command.commands.find((each) => each.name() === name);
    if (!next) return asked;
    command = next;
  }
  return args;
}

/** The words before the first option, which may have words of its own. */
function commandWords(args: readonly string[]): readonly string[] {
  const from = args.findIndex((arg) => !arg.startsWith('-'));
  if (from < 0) return [];
  const words = args.slice(from);
  const end = words.findIndex((arg) => arg.startsWith('-'));
  return end < 0 ? words : words.slice(0, end);
}
