import { findProgram } from './find-program.ts';

interface Spawnable {
  file: string;
  args: string[];
  /** The arguments are quoted already, and Node must leave them as they are. */
  windowsVerbatimArguments: boolean;
}

/**
 * A command as `spawn` takes it without a shell. Windows starts a bare name only when it means an `.exe`, and Node
 * refuses to start the `.cmd` scripts that npm installs (https://nodejs.org/api/child_process.html, "Spawning .bat and
 * .cmd files"): those go through cmd.exe, with every argument quoted for it.
 */
export function spawnable(
  [program = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
  system = process.platform,
): Spawnable {
  if (system !== 'win32') return { file: program, args, windowsVerbatimArguments: false };
  const file = /[\\/]/.test(program) ? program : (findProgram(program, environment, system) ?? program);
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, windowsVerbatimArguments: false };
  // npm's scripts pass their arguments on to a second command line, which takes the carets away once more.
  const words = [caret(file), ...args.map((argument) => caret(caret(quoted(argument))))];
  return {
    file: 'cmd.exe',
    args: ['/d', '/s', '/c', `"${words.join(' ')}"`],
    windowsVerbatimArguments: true,
  };
}

/** As a program's own parser reads an argument: backslashes count twice before a quote. */
const quoted = (argument: string): string =>
  `"${argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** As cmd.exe reads a character that would otherwise mean something to it. */
const caret = (word: string): string => word.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
