import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A word that may follow a command. */
interface Word {
  word: string;
  doc: string;
}

/** A command by its words, as `slots append`, with all that may follow it. */
interface Place {
  path: string;
  commands: Word[];
  options: Array<Word & { values: readonly string[] }>;
}

export function completionFor(program: Command, shell: Shell): string {
  return SCRIPTS[shell](placesOf(program, ''));
}

function placesOf(command: Command, path: string): Place[] {
  const commands = command.createHelp().visibleCommands(command);
  const options = command.createHelp().visibleOptions(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, doc: description })),
  );
  const place = {
    path,
    commands: [
      ...commands.map((each) => ({ word: each.name(), doc: each.summary() || each.description() })),
      ...choices,
    ],
    options: options.map(({ long, short, description, argChoices = [] }) => ({
      word: long ?? short ?? '',
      doc: description,
      values: argChoices,
    })),
  };
  const inner = commands.filter((each) => each.name() !== 'help');
  return [place, ...inner.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()))];
}

const SCRIPTS: Record<Shell, (places: Place[]) => string> = { bash, zsh, fish };

const wordsOf = ({ commands, options }: Place): Word[] => [...commands, ...options];

/** The words typed so far lead to a place; arguments in between are passed over. */
const walk = (places: Place[], typed: string) => `  for word in ${typed}; do
    case "$place $word" in
      ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(` ${path}`))
        .join('|')}) place="$place $word" ;;
    esac
  done`;

/** After an option with a fixed set of values, only these are offered. */
const valueCases = (places: Place[], listOf: (values: readonly string[]) => string) =>
  places
    .flatMap(({ path, options }) =>
      options
        .filter(({ values }) => values.length > 0)
        .map(({ word, values }) => `    ${quoted(` ${path} ${word}`)}) list=${listOf(values)} ;;`),
    )
    .join('\n');

function bash(places: Place[]): string {
  return `# Reflect for bash: eval "$(reflect completion bash)"
_reflect() {
  local place='' word list=''
${walk(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$place" in
${places
  .map((place) => {
    const words = wordsOf(place).map(({ word }) => word);
    return `    ${quoted(place.path === '' ? '' : ` ${place.path}`)}) list=${quoted(words.join(' '))} ;;`;
  })
  .join('\n')}
  esac
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(places, (values) => quoted(values.join(' ')))}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _reflect reflect`;
}

function zsh(places: Place[]): string {
  const entry = ({ word, doc }: Word) => quoted(`${word}:${firstSentence(doc)}`);
  return `#compdef reflect
# Reflect for zsh: reflect completion zsh > "\${fpath[1]}/_reflect"
_reflect() {
  local place='' word
  local -a list
${walk(places, '${words[2,CURRENT-1]}')}
  case "$place" in
${places
  .map(
    (place) =>
      `    ${quoted(place.path === '' ? '' : ` ${place.path}`)}) list=(${wordsOf(place).map(entry).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  case "$place \${words[CURRENT-1]}" in
${valueCases(places, (values) => `(${values.map(quoted).join(' ')})`)}
  esac
  _describe reflect list
  _files
}
if [ "$funcstack[1]" = _reflect ]; then _reflect "$@"; else compdef _reflect reflect; fi`;
}

function fish(places: Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const words = path.split(' ').filter(Boolean);
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const here = seen.length > 0 ? seen.join('; and ') : 'true';
    const next = commands.map(({ word }) => word).join(' ');
    const open =
      seen.length > 0 ? `${here}; and not __fish_seen_subcommand_from ${next}` : '__fish_use_subcommand';
    return [
      ...commands.map(
        ({ word, doc }) =>
          `complete -c reflect -n ${quoted(open)} -a ${word} -d ${quoted(firstSentence(doc))}`,
      ),
      ...options
        .filter(({ word }) => word.startsWith('--'))
        .map(({ word, doc, values }) => {
          const choices = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : '';
          return `complete -c reflect -n ${quoted(here)} -l ${word.slice(2)}${choices} -d ${quoted(firstSentence(doc))}`;
        }),
    ];
  });
  return ['# Reflect for fish: reflect completion fish | source', ...lines].join('\n');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const firstSentence = (doc: string) => doc.split(/[;.](?:\s|$)/)[0] ?? doc;
