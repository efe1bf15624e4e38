import { type Command, Argument } from 'commander';
import { completionFor, SHELLS, type Shell } from '../completion.ts';
import { manPage } from '../man-page.ts';
import { print } from '../output.ts';

/** Both describe the command line as it is, so neither can be out of date. */
export function shellCommands(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('Print the completion script for a shell')
    .addHelpText(
      'after',
      `
Examples:
  echo 'eval "$(reflect completion bash)"' >> ~/.bashrc
  reflect completion zsh > "\${fpath[1]}/_reflect"
  reflect completion fish > ~/.config/fish/completions/reflect.fish`,
    )
    .action((shell: Shell) => print(completionFor(program, shell)));
  program
    .command('man')
    .description('Print the manual page')
    .addHelpText('after', '\nExample: reflect man > ~/.local/share/man/man1/reflect.1 && man reflect')
    .action(() => print(manPage(program)));
}
