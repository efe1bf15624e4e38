import { CommanderError, InvalidArgumentError } from 'commander';
import { DaemonError, messageOf } from '#contract/errors.ts';
import { warn } from './output.ts';
import { createProgram, withoutHelpForUnknown } from './program.ts';

const USAGE_ERROR = 2;

/** Runs `reflect` with these arguments and returns the exit code. */
export async function runCommandLine(args: string[]): Promise<number> {
  const isJson = args.includes('--json');
  const program = createProgram({ isJson });
  try {
    await program.parseAsync(withoutHelpForUnknown(program, args), { from: 'user' });
    return Number(process.exitCode ?? 0); // set by a command whose answer is bad news
  } catch (error) {
    return report(error, isJson);
  }
}

function report(error: unknown, isJson: boolean): number {
  // Help and version also end with an exception; they have been printed and are not errors.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const message = messageOf(error).replace(/^error: /, ''); // commander's
  if (isJson) process.stderr.write(`${JSON.stringify({ error: { code: codeOf(error), message } })}\n`);
  else explain(error, message);
  return codeOf(error) === 'usage' || isUsage(error) ? USAGE_ERROR : 1;
}

function explain(error: unknown, message: string): void {
  // Commander has printed its own; one that a command throws while it runs has not been printed.
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) return;
  warn(message);
  if (error instanceof DaemonError && error.code === 'timed-out')
    warn('if the daemon hangs, `reflect stop` ends it; nothing is lost');
}

function isUsage(error: unknown): boolean {
  return error instanceof DaemonError && (error.code === 'bad-input' || error.code === 'bad-knob');
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'usage';
  return error instanceof DaemonError ? error.code : 'failed';
}
