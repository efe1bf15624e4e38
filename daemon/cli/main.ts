import { CommanderError } from 'commander';
import { DaemonError } from '#contract/errors.ts';
import { warn } from './output.ts';
import { createProgram, withoutHelpForUnknown } from './program.ts';

const USAGE_ERROR = 2;
const isJson = process.argv.includes('--json');
const program = createProgram({ isJson });

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(0));

try {
  // Sliced here: under Electron, which only serves as Node, commander would slice it differently.
  await program.parseAsync(withoutHelpForUnknown(program, process.argv.slice(2)), { from: 'user' });
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
