/** A fact about a project that fits in a word, with the words that indicate each value. */
interface PersonaField {
  field: string;
  values: ReadonlyArray<readonly [value: string, said: RegExp]>;
}

const tools = (...names: string[]) =>
  names.map(
    (name) => [name, new RegExp(`(?<![\\w./-])${name.replace(/[+.]/g, '\\$&')}(?![\\w/-])`, 'i')] as const,
  );

/** The fields that are recognised without a model; writers and agents may name any other field. */
const FIELDS: readonly PersonaField[] = [
  {
    field: 'testing_style',
    values: [
      [
        'TDD',
        /\b(?:tdd|test[- ]driven|tests? first|failing test first|write (?:the |a )?(?:failing )?tests? before)\b/i,
      ],
      ['BDD', /\bbdd\b|behaviou?r[- ]driven/i],
    ],
  },
  {
    field: 'test_runner',
    values: tools('vitest', 'jest', 'mocha', 'pytest', 'unittest', 'rspec', 'phpunit', 'nextest'),
  },
  { field: 'package_manager', values: tools('pnpm', 'npm', 'yarn', 'bun', 'uv', 'poetry', 'pip', 'pipenv') },
  { field: 'code_formatter', values: tools('prettier', 'biome', 'black', 'ruff', 'rustfmt', 'gofmt') },
  {
    field: 'indentation_style',
    values: [
      ['tabs', /\btabs\b/i],
      ['spaces', /\b(?:two|four|[248])[- ]spaces?\b|\bspaces\b/i],
    ],
  },
  {
    field: 'quote_style',
    values: [
      ['single', /\bsingle[- ]quotes?\b/i],
      ['double', /\bdouble[- ]quotes?\b/i],
    ],
  },
  {
    field: 'naming_style',
    values: [
      ['snake_case', /\bsnake[_ -]?case\b/i],
      ['camelCase', /\bcamel[_ -]?case\b/i],
      ['kebab-case', /\bkebab[_ -]?case\b/i],
      ['PascalCase', /\bpascal[_ -]?case\b/i],
    ],
  },
  {
    field: 'commit_style',
    values: [
      ['conventional commits', /\bconventional commits?\b/i],
      ['small commits', /\b(?:small|atomic) commits?\b/i],
    ],
  },
  {
    field: 'merge_style',
    values: [
      ['rebase', /\brebas(?:e|ing)\b/i],
      ['squash', /\bsquash(?:es|ed|ing)?\b/i],
      ['merge commits', /\bmerge commits?\b/i],
    ],
  },
  {
    field: 'module_format',
    values: [
      ['ES modules', /\b(?:esm|es modules?)\b/i],
      ['CommonJS', /\bcommonjs\b/i],
    ],
  },
];

/** From a negating word to the end of its clause, or to the word that introduces an alternative. */
const UNWANTED =
  /\b(?:never|not|no|don't|avoid|stop|without|instead of|rather than|over|in place of|no longer)\b(?: (?:use|using|do|prefer))?.*?(?=[,;.:—]|\b(?:but|use|prefer|always|do)\b|$)/gis;

/** The field and value an observation states, if any: "use pnpm, never npm" states pnpm. */
export function fieldIn(content: string): { field: string; value: string } | null {
  const wanted = content.replaceAll('’', "'").replace(UNWANTED, ' ');
  for (const { field, values } of FIELDS) {
    const said = values.filter(([, pattern]) => pattern.test(wanted));
    // An observation that names two values states neither.
    if (said.length === 1 && said[0]) return { field, value: said[0][0] };
  }
  return null;
}
