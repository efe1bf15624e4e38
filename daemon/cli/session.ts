import type { Command } from 'commander';
import type { DaemonEvent } from '#contract/status.ts';
import { type Call, createClient } from '#contract/methods.ts';
import { pathsOf, reflectHome } from '../platform/paths.ts';
import { connectOrStart } from '../client/daemon-control.ts';
import { toJson, warn } from './output.ts';
import { spareNotes } from '../client/spare-notes.ts';

export const paths = () => pathsOf(reflectHome(process.env));

const STARTED = 'started the daemon; `reflect capture` shows what it reads, `reflect stop` ends it';

/** Runs one command against the daemon, starts the daemon if necessary, and prints the result. */
export async function withDaemon<T>(
  command: Command,
  work: (call: Call) => Promise<T>,
  print: (result: T) => void,
  onEvent?: (event: DaemonEvent) => void,
): Promise<void> {
  const open = await connectOrStart(paths(), warn, () => warn(STARTED));
  if (onEvent) await open.connection.subscribe(onEvent);
  try {
    show(command, await work(createClient(open.connection.send)), print);
  } finally {
    open.close();
  }
}

export function show<T>(command: Command, result: T, print: (result: T) => void): void {
  if (command.optsWithGlobals<{ json?: boolean }>().json)
    process.stdout.write(`${toJson(spareNotes(result))}\n`);
  else print(result);
}

/** Settings from this shell's environment are sent with the call, because the daemon has its own environment. */
export async function knobsFromEnvironment(call: Call): Promise<Record<string, unknown>> {
  const set = Object.entries(process.env).filter(([name]) => /^(?:RECALL_|REFLECT_RECALL_)/.test(name));
  if (set.length === 0) return {};
  const known = new Set((await call('config.list', {})).map(({ name }) => name));
  return Object.fromEntries(set.filter(([name]) => known.has(name)));
}
