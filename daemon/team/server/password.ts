import { homedir } from 'node:os';
import { DaemonError } from '#contract/errors.ts';
import { runCommand, shell } from '../../platform/run-command.ts';

const TIMEOUT_MS = 30_000; // a keychain may ask the person to unlock it

/** Given to the command, so that one serves several servers and logins. */
export interface Login {
  PGHOST: string;
  PGPORT: string;
  PGDATABASE: string;
  PGUSER: string;
}

/** Prints nothing of what the command wrote: it may be the password. */
export async function passwordFrom(
  command: string,
  login: Login,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const failed = (why: string) =>
    new DaemonError(
      'unreachable',
      `The command for the team’s password ${why}. It is REFLECT_TEAM_PASSWORD_COMMAND.`,
    );
  const { code, stdout } = await runCommand({
    argv: shell(command),
    cwd: homedir(),
    environment: { ...environment, ...login },
    input: '',
    signal: timeout,
  }).catch(() => {
    throw failed(timeout.aborted ? `did not end within ${TIMEOUT_MS / 1_000} s` : 'cannot be run');
  });
  if (code !== 0) throw failed(`ended with ${code}`);
  const password = stdout.replace(/\r?\n$/, '');
  if (password === '') throw failed('printed nothing');
  return password;
}
