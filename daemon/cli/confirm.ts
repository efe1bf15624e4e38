import { createInterface } from 'node:readline/promises';
import { DaemonError } from '#contract/errors.ts';

/** Asks before something that cannot be undone. A script says yes in advance. */
export const confirm = (question: string, yes: boolean): Promise<void> =>
  agree(question, yes, 'This cannot be undone. Pass --yes to continue.', 'Nothing was deleted.');

/** Asks before something leaves this machine or enters it. */
export async function agree(
  question: string,
  yes: boolean,
  unasked = 'Nothing was changed. Pass --yes to continue.',
  refused = 'Nothing was changed.',
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new DaemonError('bad-input', unasked);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new DaemonError('bad-input', refused);
}
