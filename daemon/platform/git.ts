import { runCommand } from './run-command.ts';

interface GitCall {
  /** A folder of the repository. */
  root: string;
  args: readonly string[];
  input?: string;
  signal: AbortSignal;
  environment?: Record<string, string>;
}

// Nothing a cloned repository configures may run a program or reach the network.
const HARMLESS = ['protocol.allow=never', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'];

/** Asks git. Null when it cannot tell: no repository, no git, an error, or no answer before the signal. */
export async function askGit({
  root,
  args,
  input = '',
  signal,
  environment = {},
}: GitCall): Promise<string | null> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  try {
    const { code, stdout } = await runCommand({
      argv: ['git', ...HARMLESS.flatMap((setting) => ['-c', setting]), ...args],
      cwd: root,
      // Objects of a partial clone are not fetched.
      environment: {
        ...Object.fromEntries(inherited),
        GIT_NO_LAZY_FETCH: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        LC_ALL: 'C',
        ...environment,
      },
      input,
      signal,
    });
    return code === 0 ? stdout : null;
  } catch {
    return null;
  }
}
