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
const isJson = process.argv.includes('--json');

const program = new Command('reflect')
  .description('Correct once, never again: a local memory for coding agents.')
  .version(VERSION)
  .option('--json', 'print the answer as JSON')
  .showHelpAfterError('Run `reflect --help` for the commands.')
  .exitOverride()
  // Wrong usage is reported below, as JSON where that was asked for.
  .configureOutput(isJson ? { writeErr: () => undefined } : {})
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

/** As the help lists them: what people type every day first. */
const GROUPS = {
  'Everyday:': [recallCommands, learningCommands, candidateCommands, curationCommands, slotCommands],
  'Agents:': [agentCommands, pluginCommand, captureCommands, writerCommands],
  'Maintenance:': [
    daemonCommands,
    settingsCommands,
    privacyCommands,
    archiveCommands,
    importCommand,
    backupCommands,
  ],
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
  ],
};

for (const [heading, tables] of Object.entries(GROUPS)) {
  program.commandsGroup(heading);
  for (const commands of tables) commands(program);
}

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
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) process.stderr.write(`${JSON.stringify({ error: { code: codeOf(error), message } })}\n`);
  else explain(error, message);
  return codeOf(error) === 'usage' || isUsage(error) ? USAGE_ERROR : 1;
}

function explain(error: unknown, message: string): void {
  if (error instanceof CommanderError) return; // commander has printed it
  warn(message);
  if (error instanceof DaemonError && error.code === 'timed-out')
    warn('if the daemon hangs, `reflect stop` ends it without losing anything');
}

function isUsage(error: unknown): boolean {
  return error instanceof DaemonError && (error.code === 'bad-input' || error.code === 'bad-knob');
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage';
  return error instanceof DaemonError ? error.code : 'failed';
}
