import type { Command, Option } from 'commander';

/** The manual page in roff, made from the table of commands that also makes `--help`. */
export function manPage(program: Command): string {
  const help = program.createHelp();
  const groups = help.groupItems([...program.commands], help.visibleCommands(program), (command) =>
    command.helpGroup(),
  );
  return [
    `.TH REFLECT 1 "" "reflect ${program.version() ?? ''}" "User Commands"`,
    '.SH NAME',
    'reflect \\- a local memory for coding agents',
    '.SH SYNOPSIS',
    '.B reflect',
    '.RI [ options ] " command " [ arguments ]',
    '.SH DESCRIPTION',
    escape(program.description()),
    '.SH OPTIONS',
    ...help.visibleOptions(program).flatMap(optionOf),
    ...[...groups].flatMap(([heading, commands]) => [
      `.SH ${escape(heading.replace(/:$/, '').toUpperCase())}`,
      ...commands.flatMap((command) => commandOf(command, '')),
    ]),
    '.SH EXIT STATUS',
    '0 success, 1 failure, 2 wrong usage.',
    '.SH ENVIRONMENT',
    ...tagged('REFLECT_HOME', 'The folder of the knowledge base; ~/.reflect unless set.'),
    'Every setting in `reflect config` can also be set as an environment variable.',
  ].join('\n');
}

/** Commands that only hold others are left to those. */
function commandOf(command: Command, before: string): string[] {
  const help = command.createHelp();
  const name = `${before} ${command.name()}`.trim();
  const inner = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const args = command.registeredArguments.map((arg) => {
    const spread = `${arg.name()}${arg.variadic ? '...' : ''}`;
    return arg.required ? `<${spread}>` : `[${spread}]`;
  });
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    ...tagged([name, ...args].join(' '), command.description()),
    ...(options.length > 0 ? ['.RS', ...options.flatMap(optionOf), '.RE'] : []),
    ...inner.flatMap((each) => commandOf(each, name)),
  ];
}

const optionOf = ({ flags, description }: Option): string[] => tagged(flags, description);
const tagged = (term: string, text: string): string[] => ['.TP', `.B ${escape(term)}`, escape(text) || '\\&'];

/** Roff reads a backslash as a command, and a dot or quote at the start of a line too. */
const escape = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replace(/^([.'])/, '\\&$1');
