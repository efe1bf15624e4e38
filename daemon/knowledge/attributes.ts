import { jaccard } from '../text/similarity.ts';
import { isStopWord } from '../text/stop-words.ts';
import { tokens } from '../text/tokenise.ts';

/** A property of a project that fits in a word, with the words that indicate each value. */
interface Attribute {
  field: string;
  values: ReadonlyArray<readonly [value: string, said: RegExp]>;
  /** Values of which only one can hold at a time; without it, several may. */
  rivals?: ReadonlyArray<readonly string[]>;
}

const tools = (...names: string[]) =>
  names.map(
    (name) => [name, new RegExp(`(?<![\\w./-])${name.replace(/[+.]/g, '\\$&')}(?![\\w/-])`, 'i')] as const,
  );

const SERVER_SESSIONS = new RegExp(
  [
    String.raw`\b(?:server(?:[- ]side)?|cookie) sessions?\b`,
    String.raw`\bsession cookies?\b`,
    String.raw`\bsession[- ](?:based|auth\w*)\b`,
    String.raw`\bsessions on the server\b`,
    String.raw`\bauth\w*\b.*\bsessions\b`,
    String.raw`\bsessions\b.*\bauth`,
  ].join('|'),
  'i',
);

/** The attributes that are recognised without a model; writers and agents may name any other. */
const ATTRIBUTES: readonly Attribute[] = [
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
    rivals: [
      ['vitest', 'jest', 'mocha'],
      ['pytest', 'unittest'],
    ],
  },
  {
    field: 'package_manager',
    values: tools('pnpm', 'npm', 'yarn', 'bun', 'uv', 'poetry', 'pip', 'pipenv'),
    rivals: [
      ['pnpm', 'npm', 'yarn', 'bun'],
      ['uv', 'poetry', 'pip', 'pipenv'],
    ],
  },
  {
    field: 'code_formatter',
    values: tools('prettier', 'biome', 'black', 'ruff', 'rustfmt', 'gofmt'),
    rivals: [
      ['prettier', 'biome'],
      ['black', 'ruff'],
    ],
  },
  {
    field: 'indentation_style',
    values: [
      ['tabs', /\btabs\b/i],
      ['spaces', /\b(?:two|four|[248])[- ]spaces?\b|\bspaces\b/i],
    ],
    rivals: [['tabs', 'spaces']],
  },
  {
    field: 'quote_style',
    values: [
      ['single', /\bsingle[- ]quotes?\b/i],
      ['double', /\bdouble[- ]quotes?\b/i],
    ],
    rivals: [['single', 'double']],
  },
  {
    field: 'naming_style',
    values: [
      ['snake_case', /\bsnake[_ -]?case\b/i],
      ['camelCase', /\bcamel[_ -]?case\b/i],
      ['kebab-case', /\bkebab[_ -]?case\b/i],
      ['PascalCase', /\bpascal[_ -]?case\b/i],
    ],
    rivals: [['snake_case', 'camelCase', 'kebab-case', 'PascalCase']],
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
    rivals: [['rebase', 'squash', 'merge commits']],
  },
  {
    field: 'auth_method',
    values: [
      ['JWT', /\bjwts?\b|\bjson web tokens?\b/i],
      ['server-side sessions', SERVER_SESSIONS],
    ],
    rivals: [['JWT', 'server-side sessions']],
  },
  {
    field: 'module_format',
    values: [
      ['ES modules', /\b(?:esm|es modules?)\b/i],
      ['CommonJS', /\bcommonjs\b/i],
    ],
    rivals: [['ES modules', 'CommonJS']],
  },
];

/** From a negating word to the end of its clause, or to the word that introduces an alternative. */
const UNWANTED =
  /\b(?:never|not|no|don't|avoid|stop|without|instead of|rather than|over|in place of|no longer)\b(?: (?:use|using|do|prefer))?.*?(?=[,;.:—]|\b(?:but|use|prefer|always|do)\b|$)/gis;

const wantedIn = (content: string) => content.replaceAll('’', "'").replace(UNWANTED, ' ');

/** The attribute and value a sentence states, if any: "use pnpm, never npm" states pnpm. */
export function fieldIn(content: string): { field: string; value: string } | null {
  const wanted = wantedIn(content);
  for (const { field, values } of ATTRIBUTES) {
    const said = values.filter(([, pattern]) => pattern.test(wanted));
    // A sentence that names two values states neither.
    if (said.length === 1 && said[0]) return { field, value: said[0][0] };
  }
  return null;
}

/** Two different values for one choice. */
interface Disagreement {
  values: [string, string];
}

/** The values in which two rules of one place disagree (tabs and spaces); null when both can hold. */
export function disagreement(one: string, other: string): Disagreement | null {
  const [a, b] = [wantedIn(one), wantedIn(other)];
  for (const { values, rivals = [] } of ATTRIBUTES) {
    const stated = (text: string) => values.filter(([, pattern]) => pattern.test(text));
    const [[first, ...more], [second, ...others]] = [stated(a), stated(b)];
    if (!first || !second || more.length + others.length > 0 || first[0] === second[0]) continue;
    const exclude = rivals.some((group) => group.includes(first[0]) && group.includes(second[0]));
    const subject = (text: string) => subjectOf(text.replace(first[1], ' ').replace(second[1], ' '));
    if (exclude && mayBeOne(subject(a), subject(b))) return { values: [first[0], second[0]] };
  }
  return differentChoices(a, b);
}

const CHOICE =
  /^(?:always |please )?(?:use|prefer|choose|pick) (?<what>[^,;.]{2,60}?) (?:for|as) (?<role>[^,;.]{3,80})$/i;
const SAME_ROLE = 0.8;

/** "Use x for y" and "use z for y". */
function differentChoices(one: string, other: string): Disagreement | null {
  const [a, b] = [one, other].map((text) => CHOICE.exec(text.trim().replace(/[.!]+$/, ''))?.groups);
  if (!a?.what || !a.role || !b?.what || !b.role) return null;
  const isSameRole = jaccard(subjectOf(a.role), subjectOf(b.role)) >= SAME_ROLE;
  const isSameThing = jaccard(subjectOf(a.what), subjectOf(b.what)) > 0;
  return isSameRole && !isSameThing ? { values: [a.what, b.what] } : null;
}

/** Verbs and nouns of choosing, which say nothing about where a rule holds. */
const CHOOSING = new Set(
  'use uses used using prefer prefers always must should indent indentation style format formatting file files code project repo repository here everywhere moved migrated switched switch now run runs install'.split(
    ' ',
  ),
);

const subjectOf = (text: string) =>
  new Set(tokens(text).filter((word) => !isStopWord(word) && !CHOOSING.has(word)));

const OVERLAP = 0.25;
/** "Tabs in Makefiles" and "spaces in Python" are about different things; a rule that names none is about all. */
const mayBeOne = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === 0 || other.size === 0 || jaccard(one, other) >= OVERLAP;
