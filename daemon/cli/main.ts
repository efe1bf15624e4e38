import { Command, CommanderError } from 'commander';
import { DaemonError } from '#contract/errors.ts';
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
import { slotCommands } from './commands/slots.ts';
import { stagedCommands } from './commands/staged.ts';
import { writerCommands } from './commands/writers.ts';
import { warn } from './output.ts';

const USAGE_ERROR = 2;

const program = new Command('reflect')
  .description('Correct once, never again: a local memory for coding agents.')
  .version(VERSION)
  .option('--json', 'print the answer as JSON')
  .showHelpAfterError('Run `reflect --help` for the commands.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  reflect search "flaky auth test"         search the learnings of this project
  reflect explain "flaky auth test"        search, and explain every result
  reflect index "flaky auth test"          titles only; \`reflect hydrate <id>\` prints one
  reflect add "Use pnpm, never npm" --fix "pnpm install"
  reflect install --all                    connect the agents on this machine
  reflect status                           show the status of the daemon
  reflect ui                               open the app in a browser

Exit codes: 0 done, 1 failed, 2 wrong usage. Settings: \`reflect config\`.`,
  );

for (const commands of [
  recallCommands,
  stagedCommands,
  corpusCommands,
  learningCommands,
  candidateCommands,
  curationCommands,
  knowledgeCommands,
  slotCommands,
  skillCommands,
  distillCommands,
  memoryCommands,
  experienceCommands,
  loopCommands,
  settingsCommands,
  schemaCommands,
  archiveCommands,
  importCommand,
  backupCommands,
  writerCommands,
  captureCommands,
  privacyCommands,
  agentCommands,
  pluginCommand,
  daemonCommands,
])
  commands(program);

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(0));

try {
  // argv is passed explicitly: under Electron, which only serves as Node here, commander would slice it differently.
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Help and version also end with an exception; they have been printed and are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  warn(error instanceof Error ? error.message : String(error));
  if (error instanceof DaemonError && error.code === 'timed-out')
    warn('if the daemon hangs, `reflect stop` ends it without losing anything');
  return error instanceof DaemonError && (error.code === 'bad-input' || error.code === 'bad-knob')
    ? USAGE_ERROR
    : 1;
}
