import { createInterface } from 'node:readline/promises';
import { DaemonError } from '#contract/errors.ts';

/** Asks before something that cannot be undone. A script says yes in advance. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new DaemonError('bad-input', 'This cannot be undone; pass --yes to go on.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new DaemonError('bad-input', 'Nothing was deleted.');
}
