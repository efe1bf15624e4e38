import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourceFiles } from '../.config/imports.ts';
import { createProgram } from './cli/program.ts';

const pages = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('docs', name.replaceAll('\\', '/')))
    .filter((name) => name.endsWith('.md')),
];

/** Files and folders a page names: links relative to itself, and code that starts with one of our folders. */
function namedIn(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(page), target),
  );
  const code = [...text.matchAll(/`((?:app|daemon|docs|e2e|models|renderer|\.config|\.vscode)\/[^`\s]*)`/g)];
  return [...links, ...code.map(([, file = '']) => file)].filter((file) => !/[<>*]/.test(file));
}

const missing = (page: string, text: string) =>
  namedIn(page, text).filter((file) => !existsSync(path.join(ROOT, file)));

test.each(pages)('every file that %s names exists', (page) => {
  expect(missing(page, readFileSync(path.join(ROOT, page), 'utf8'))).toEqual([]);
});

test('a dead link and a file that moved are noticed', () => {
  expect(
    missing('docs/page.md', 'See [it](gone.md) and `daemon/gone.ts`, but not `daemon/<name>.ts`.'),
  ).toEqual(['docs/gone.md', 'daemon/gone.ts']);
});

const PROGRAM = createProgram();

/** Words of a command line that are neither a command nor an option of ours. */
function unknownIn(line: string): string | undefined {
  let command = PROGRAM;
  for (const word of line
    .replaceAll(/"[^"]*"|'[^']*'/g, 'quoted')
    .split(/\s+/)
    .slice(1)) {
    const option = /^--[a-z-]+/.exec(word)?.[0];
    const known = [command, PROGRAM].flatMap(({ options }) => options.map(({ long }) => long));
    if (option && !['--help', ...known].includes(option)) return line;
    const next = command.commands.find((each) => each.name() === word);
    if (!next && command === PROGRAM && !word.startsWith('-')) return line;
    command = next ?? command;
  }
  return undefined;
}

/** Command lines of ours in code, alone or at the start of a line of a block. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:`|^(?:\$ )?)(?:npx )?(reflect [^`#|\n]+)/gm)].map(([, line = '']) => line.trim());

test.each(pages)('every command of ours that %s names exists', (page) => {
  const lines = commandsIn(readFileSync(path.join(ROOT, page), 'utf8'));
  expect(lines.flatMap((line) => unknownIn(line) ?? [])).toEqual([]);
});

test('a command and an option that do not exist are noticed', () => {
  const text =
    'Run `reflect serve --demo`, `reflect search "a --b" --nope` or\n$ reflect status --json # now';
  expect(commandsIn(text).map(unknownIn)).toEqual([
    'reflect serve --demo',
    'reflect search "a --b" --nope',
    undefined,
  ]);
});

const SOURCES = [...sourceFiles('app', 'daemon', 'e2e', 'models')]
  .filter((file) => file !== 'daemon/docs.test.ts')
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  .join('\n');

/** Settings a page names that no source file knows. */
const unknownSettings = (text: string): string[] =>
  [...text.matchAll(/\b(?:REFLECT|RECALL)_[A-Z0-9_]*[A-Z0-9]\b/g)]
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(SOURCES));

test.each([...pages, 'CHANGELOG.md'])('every setting that %s names exists', (page) => {
  expect(unknownSettings(readFileSync(path.join(ROOT, page), 'utf8'))).toEqual([]);
});

test('a setting that does not exist is noticed', () => {
  expect(unknownSettings('Set `REFLECT_MODE` or `REFLECT_PROMPT_MIN_TOUCH`.')).toEqual([
    'REFLECT_PROMPT_MIN_TOUCH',
  ]);
});
